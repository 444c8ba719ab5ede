import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endpoint, openReader, openSession } from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

const test = suite('list_changed of prompts and resources');

const options = {
  servers: { demo: ['echo'], other: ['add'] },
  groups: { 'svc-global': ['demo__echo'], bare: ['other__add'] },
  features: { demo: { prompts: ['p'], resources: ['r://1'], templates: ['r://{id}'] } },
};

async function listen(leg: Leg, path = endpoint) {
  const session = await openSession(leg.fetch, '2025-06-18', path);
  const leaving = new AbortController();
  const headers = { ...session, Accept: 'text/event-stream' };
  const reader = openReader(await leg.fetch(path, { headers, signal: leaving.signal }));
  assert.is(await reader.next(), ': open');
  return {
    leave: () => leaving.abort(),
    async next() {
      const event = await reader.next();
      return JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}').method;
    },
  };
}

onBothLegs(
  test,
  'rule 43: prompts and resources that a server offers anew are told, each by its own notification',
  async (leg) => {
    const { next, leave } = await listen(leg);

    leg.features.setFeatures('demo', { prompts: ['p', 'q'], resources: ['r://1'], templates: ['r://{id}'] });
    assert.is(await next(), 'notifications/prompts/list_changed');
    leg.features.setFeatures('demo', { prompts: ['p', 'q'], resources: ['r://1'], templates: ['s://{id}'] });
    assert.is(await next(), 'notifications/resources/list_changed');
    leave();
  },
  options,
);

onBothLegs(
  test,
  'rule 43: an edit of the group’s lists of prompts and resources tells its sessions',
  async (leg) => {
    const { next, leave } = await listen(leg);

    leg.groups.write('svc-global', { included_tools: ['demo__echo'], included_prompts: [] });
    assert.is(await next(), 'notifications/prompts/list_changed');
    leg.groups.write('svc-global', {
      included_tools: ['demo__echo'],
      included_prompts: [],
      included_resources: ['r://1'],
    });
    assert.is(await next(), 'notifications/resources/list_changed');
    leave();
  },
  options,
);

onBothLegs(
  test,
  'rule 24: a group that had none when its sessions began tells them nothing of prompts',
  async (leg) => {
    const { next, leave } = await listen(leg, '/v0/groups/bare/mcp');

    leg.features.setFeatures('other', { prompts: ['p'] });
    leg.features.setFeatures('demo', { prompts: ['z'] });
    leg.catalog.setTools('other', ['add', 'more']);
    leg.groups.write('bare', ['other__more']);

    assert.is(await next(), 'notifications/tools/list_changed');
    leave();
  },
  options,
);

test.run();
