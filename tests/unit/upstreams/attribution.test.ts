/** Whose call is it? 200 rounds of two sessions on one connection without streams, in every order. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ClientChannel } from '../../../lib/upstreams/upstreams.ts';
import { createMultiplexerFixture } from './multiplexer-fixture.ts';

const test = suite('what a server sends on a connection that sessions share');
const rounds = 200;
const steps = 30;
const names = ['ann', 'bob'] as const;

/** Numbers that look random and are the same in each run (a linear congruential generator). */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

interface Call {
  readonly id: number;
  readonly owner: string;
  readonly controller: AbortController;
}

/** The server speaks of any call that it ever had, the test knows whose that was, and counts whom it reached. */
async function play(round: number, sessions: readonly string[]) {
  const notificationFeed: { text: string; sessionId?: string | undefined }[] = [];
  const fixture = createMultiplexerFixture({}, (notification) => void notificationFeed.push(notification));
  const { multiplexer, server, sent } = fixture;
  const dice = createDice(round + 1);
  const reached: { to: string; of: string }[] = [];
  const calls: Call[] = [];
  let said = 0;

  const callerOf = (to: string): ClientChannel => ({
    ...{ canAnswer: true, logLevel: undefined, hangUp() {} },
    notify: (message) => void reached.push({ to, of: JSON.parse(message).params.data }),
    async ask(_method, params) {
      reached.push({ to, of: JSON.parse(params).of });
      return { result: '{}' };
    },
  });
  const clientChannels = new Map(names.map((name) => [name as string, callerOf(name)]));
  const pick = <One>(from: readonly One[]) => from[dice(from.length)] as One;

  function begin(): void {
    const owner = pick(sessions);
    const controller = new AbortController();
    const clientChannel = clientChannels.get(owner) as ClientChannel;
    const { signal } = controller;
    const request = { sessionId: owner, method: 'tools/call', params: () => '{}', signal, clientChannel };
    multiplexer.request(request).catch(() => {});
    calls.push({ id: sent.findLast(({ method }) => method === 'tools/call')?.id ?? 0, owner, controller });
  }

  function ask({ owner }: Call): void {
    const method = pick(['sampling/createMessage', 'elicitation/create', 'roots/list']);
    const params = { of: owner, message: '' };
    server().onMessage(JSON.stringify({ jsonrpc: '2.0', id: `q${++said}`, method, params }));
  }

  function log({ owner }: Call): void {
    const params = { level: 'error', data: owner };
    server().onMessage(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params }));
  }

  begin();
  for (let step = 0; step < steps; step++) {
    const call = pick(calls);
    const act = pick([
      begin,
      ask,
      log,
      ask,
      log,
      () => fixture.answer(call.id),
      () => call.controller.abort(),
    ]);
    act(call);
  }
  await new Promise((resolve) => setImmediate(resolve));
  for (const { text, sessionId } of notificationFeed) {
    reached.push({ to: sessionId ?? 'everybody', of: JSON.parse(text).params.data });
  }
  const answers = sent.filter(({ id, method }) => method === undefined && String(id).startsWith('q'));
  await fixture.stop();
  return { reached, asked: said, answered: answers.length };
}

test(`reaches nobody that it is not of, in ${rounds} rounds, and every question is answered`, async () => {
  for (let round = 0; round < rounds; round++) {
    const { reached, asked, answered } = await play(round, names);

    assert.equal(
      reached.filter(({ to, of }) => to !== of),
      [],
      `round ${round}`,
    );
    assert.is(answered, asked, `round ${round}`);
  }
});

test('reaches the session that is alone', async () => {
  const { reached } = await play(1, ['ann']);

  assert.ok(reached.length > 5, String(reached.length));
});

test.run();
