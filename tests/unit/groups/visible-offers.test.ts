import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { parseGroup } from '../../../lib/groups/parse-group.ts';
import { type VisibleOffer, visibleOffers } from '../../../lib/groups/visible-offers.ts';
import { silentLog } from '../../../lib/observe/log.ts';
import { createMemoryOffers, type OfferContent } from '../../support/memory-offers.ts';
import { knownTools } from './known-tools.ts';

const test = suite('visibleOffers');

const tools = { a: ['x'], b: ['y', 'z'], c: [] };
const contents: Readonly<Record<string, OfferContent>> = {
  a: { prompts: ['p'], resources: ['r://1', 'r://2'] },
  b: { prompts: ['p', 'q'], resources: ['r://1'], templates: ['r://{id}'] },
  c: { prompts: ['s'] },
  d: { prompts: ['fine', 'a\nb', 'x'.repeat(129)] },
};

function visibleIn(fields: Record<string, unknown>, servers: Record<string, readonly string[]> = tools) {
  const text = JSON.stringify({ name: 'ops', included_tools: [], ...fields });
  const parsed = parseGroup('ops', { text, etag: '"1"', modifiedAt: new Date(0) });
  if ('problem' in parsed) throw new Error(parsed.problem);
  const offers = createMemoryOffers(createLocalBus({ log: silentLog }));
  for (const [server, content] of Object.entries(contents)) offers.offer(server, content);
  const visible = visibleOffers(parsed.group, knownTools(servers), offers);
  return {
    servers: [...visible.servers.keys()],
    prompts: visible.prompts.map(keyOf),
    resources: visible.resources.map(keyOf),
    templates: visible.templates.map(keyOf),
  };
}

function keyOf({ visibleKey }: VisibleOffer): string {
  return visibleKey;
}

test('a group has what the servers of its tools offer, in the order of the tools', () => {
  assert.equal(visibleIn({ included_tools: ['b__z', 'a__x', 'b__y'] }), {
    servers: ['b', 'a'],
    prompts: ['b__p', 'b__q', 'a__p'],
    resources: ['r://1', 'a+r://1', 'r://2'],
    templates: ['r://{id}'],
  });
});

test('a whole server belongs to the group without any tools', () => {
  assert.equal(visibleIn({ included_servers: ['c', 'gone'] }).prompts, ['c__s']);
});

test('a server of which no tool is in the group, or known any more, has nothing there', () => {
  assert.equal(visibleIn({ included_tools: ['a__vanished'] }).servers, []);
  assert.equal(visibleIn({ included_tools: ['b__y'], excluded_tools: ['b__y'] }).servers, []);
  assert.equal(visibleIn({ included_servers: ['a'] }, { b: ['y'] }).servers, []);
});

test('listed prompts and resources are shown in the order of the file, each once, and no others', () => {
  const visible = visibleIn({
    included_tools: ['a__x'],
    included_prompts: ['b__q', 'a__p', 'b__q', 'a__gone'],
    included_resources: ['r://{id}', 'r://2', 'r://gone'],
  });

  assert.equal(visible, {
    servers: ['a', 'b'],
    prompts: ['b__q', 'a__p'],
    resources: ['r://2'],
    templates: ['r://{id}'],
  });
});

test('a listed URI of two servers is that of the group’s own server, and the other can be named', () => {
  const own = visibleIn({ included_tools: ['b__y'], included_resources: ['r://1'] });
  const other = visibleIn({ included_tools: ['b__y'], included_resources: ['a+r://1'] });

  assert.equal([own.servers, other.servers], [['b'], ['b', 'a']]);
  assert.equal([own.resources, other.resources], [['r://1'], ['r://1']]);
});

test('of two prompts that would share a name the second keeps its own', () => {
  const exposed_names = { a__p: 'ask', b__p: 'ask' };

  assert.equal(visibleIn({ included_tools: ['a__x'], exposed_names }).prompts, ['ask']);
  assert.equal(visibleIn({ included_tools: ['a__x', 'b__y'], exposed_names }).prompts, [
    'ask',
    'b__p',
    'b__q',
  ]);
});

test('a prompt whose name agents cannot be shown is seen only under another name', () => {
  const exposed = { exposed_names: { 'd__a\nb': 'other' } };

  assert.equal(visibleIn({ included_servers: ['d'] }, { d: [] }).prompts, ['d__fine']);
  assert.equal(visibleIn({ included_servers: ['d'], ...exposed }, { d: [] }).prompts, ['d__fine', 'other']);
});

test.run();
