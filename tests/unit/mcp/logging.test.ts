import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { both, openSession, post, request } from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

const test = suite('logging');
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

function logAll(leg: Leg): void {
  leg.upstreams.answerWith(({ clientChannel }) => {
    for (const level of levels) {
      clientChannel?.notify(
        `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}","data":1}}`,
      );
    }
    return { result: '{"content":[]}' };
  });
}

/** The levels that a call's stream brings. */
async function heardBy(leg: Leg, session: Record<string, string>): Promise<string[]> {
  const { body } = await post(leg.fetch, request(1, 'tools/call', { name: 'demo__echo' }), {
    ...session,
    ...both,
  });
  return body.slice(0, -1).map(({ params }: { params: { level: string } }) => params.level);
}

function setLevel(leg: Leg, session: Record<string, string>, level: unknown) {
  return post(leg.fetch, request(2, 'logging/setLevel', { level }), session);
}

onBothLegs(test, 'rule 44: a session hears from the level on that it asked for', async (leg) => {
  const session = await openSession(leg.fetch);
  logAll(leg);

  const { body } = await setLevel(leg, session, 'error');

  assert.equal(body.result, {});
  assert.equal(await heardBy(leg, session), ['error', 'critical', 'alert', 'emergency']);
});

onBothLegs(test, 'rule 44: without a level it hears everything but debug', async (leg) => {
  const session = await openSession(leg.fetch);
  logAll(leg);

  assert.equal(await heardBy(leg, session), levels.slice(1));
});

onBothLegs(test, 'rule 44: levels of sessions do not meet', async (leg) => {
  const [one, two] = [await openSession(leg.fetch), await openSession(leg.fetch)];
  logAll(leg);

  await setLevel(leg, one, 'emergency');
  await setLevel(leg, two, 'debug');

  assert.equal(await heardBy(leg, one), ['emergency']);
  assert.equal(await heardBy(leg, two), levels);
});

onBothLegs(test, 'rule 44: a level nobody knows is refused', async (leg) => {
  const session = await openSession(leg.fetch);

  for (const level of ['verbose', 3, undefined]) {
    const { status, body } = await setLevel(leg, session, level);
    assert.equal([status, body.error.code], [200, -32602]);
  }
});

test.run();
