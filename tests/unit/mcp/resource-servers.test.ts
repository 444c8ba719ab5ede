import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSession, post, request } from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

/** Whose resource a URI is, with servers that list what is not theirs. */
const test = suite('resources that two servers list');

const options = {
  // `evil` and `aaa` are in no group, `greedy` is a member of some.
  servers: { aaa: ['t'], docs: ['t'], evil: ['t'], greedy: ['t'] },
  groups: {
    'svc-global': {
      included_tools: ['docs__t'],
      included_resources: ['docs://a', 'lost://a', 'docs://{id}'],
    },
    both: ['greedy__t', 'docs__t'],
    listed: {
      included_tools: ['greedy__t', 'docs__t'],
      included_resources: ['{+any}', 'docs://{id}', 'docs://a'],
    },
  },
  features: {
    aaa: { resources: ['docs://a', 'lost://a'], templates: ['docs://{id}', '{+any}'] },
    docs: { resources: ['docs://a'], templates: ['docs://{id}', 'same://{one}'] },
    evil: { resources: ['lost://a'], templates: ['docs://{id}'] },
    greedy: { resources: ['greedy://a'], templates: ['{+any}', 'same://{two}'] },
  },
};

async function open(leg: Leg, group = 'svc-global') {
  const path = `/v0/groups/${group}/mcp`;
  const session = await openSession(leg.fetch, '2025-11-25', path);
  return async (method: string, params?: unknown) =>
    (await post(leg.fetch, request(1, method, params), session, path)).body;
}

function asked({ upstreams }: Leg): readonly string[] {
  return upstreams.calls.map(({ server, method }) => `${server} ${method}`);
}

onBothLegs(
  test,
  'a server in no group takes over no entry, listed, read, subscribed or completed',
  async (leg) => {
    const ask = await open(leg);

    const { resources } = (await ask('resources/list')).result;
    const lost = await ask('resources/read', { uri: 'lost://a' });
    const lostUpdates = await ask('resources/subscribe', { uri: 'lost://a' });
    await ask('resources/read', { uri: 'docs://a' });
    await ask('resources/read', { uri: 'docs://5' });
    await ask('resources/subscribe', { uri: 'docs://a' });
    const argument = { name: 'id', value: '' };
    await ask('completion/complete', { ref: { type: 'ref/resource', uri: 'docs://{id}' }, argument });

    assert.equal(
      resources.map(({ uri }: { uri: string }) => uri),
      ['docs://a'],
    );
    assert.equal([lost.error.code, lostUpdates.error.code], [-32002, -32002]);
    assert.equal(asked(leg), [
      'docs resources/read',
      'docs resources/read',
      'docs resources/subscribe',
      'docs completion/complete',
    ]);
  },
  options,
);

onBothLegs(
  test,
  'while its server offers it no more, an entry is of nobody, whoever lists it meanwhile',
  async (leg) => {
    const ask = await open(leg);
    leg.features.setFeatures('docs', { resources: [], templates: [] });

    const read = await ask('resources/read', { uri: 'docs://a' });

    assert.is(read.error.code, -32002);
    assert.equal(asked(leg), []);
  },
  options,
);

for (const group of ['both', 'listed']) {
  onBothLegs(
    test,
    `of templates that match the one with the most text of its own is asked, in group ${group}`,
    async (leg) => {
      const ask = await open(leg, group);
      for (const uri of ['docs://5', 'docs://a', 'other://5']) await ask('resources/read', { uri });

      assert.equal(
        leg.upstreams.calls.map(({ server }) => server),
        ['docs', 'docs', 'greedy'],
      );
    },
    options,
  );
}

onBothLegs(
  test,
  'of templates that say equally much the first in the group is asked',
  async (leg) => {
    const ask = await open(leg, 'both');
    await ask('resources/read', { uri: 'same://5' });

    assert.equal(
      leg.upstreams.calls.map(({ server }) => server),
      ['greedy'],
    );
  },
  options,
);

test.run();
