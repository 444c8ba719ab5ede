import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { parseGroup } from '../../../lib/groups/files/parse-group.ts';
import type { Group } from '../../../lib/groups/groups.ts';
import { resourceWarnings } from '../../../lib/groups/visible/resource-warnings.ts';
import {
  entryScope,
  type FormerServers,
  type VisibleFeature,
  visibleFeatures,
} from '../../../lib/groups/visible/visible-features.ts';
import { silentLog } from '../../../lib/log.ts';
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

function groupOf(fields: Record<string, unknown>): Group {
  const text = JSON.stringify({ name: 'ops', included_tools: [], ...fields });
  const parsed = parseGroup('ops', { text, etag: '"1"', modifiedAt: new Date(0) });
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.group;
}

function offering(listed: Readonly<Record<string, OfferContent>>) {
  const features = createMemoryOffers(createLocalBus({ log: silentLog }));
  for (const [server, content] of Object.entries(listed)) features.setFeatures(server, content);
  return features;
}

function visibleIn(
  fields: Record<string, unknown>,
  servers: Record<string, readonly string[]> = tools,
  former?: FormerServers,
) {
  const visible = visibleFeatures(groupOf(fields), knownTools(servers), offering(contents), former);
  return {
    servers: [...visible.servers.keys()],
    prompts: visible.prompts.map(keyOf),
    resources: visible.resources.map(keyOf),
    templates: visible.templates.map(keyOf),
  };
}

function keyOf({ visibleKey }: VisibleFeature): string {
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

test('a listed URI is never that of a server of which the group includes nothing else', () => {
  const outside = visibleIn({ included_tools: ['a__x'], included_resources: ['r://2', 'r://{id}'] });
  const named = visibleIn({ included_tools: ['a__x'], included_resources: ['r://2', 'b+r://{id}'] });

  assert.equal([outside.servers, outside.resources, outside.templates], [['a'], ['r://2'], []]);
  assert.equal([named.servers, named.resources, named.templates], [['a', 'b'], ['r://2'], ['r://{id}']]);
});

test('a server belongs to the group by its prompts, by itself, and by tools that it does not offer now', () => {
  const included_resources = ['r://{id}'];

  assert.equal(visibleIn({ included_prompts: ['b__q'], included_resources }).templates, included_resources);
  assert.equal(visibleIn({ included_servers: ['b'], included_resources }).templates, included_resources);
  assert.equal(visibleIn({ included_tools: ['b__gone'], included_resources }).templates, included_resources);
  assert.equal(
    visibleIn({ included_tools: ['b__y'], excluded_tools: ['b__y'], included_resources }).templates,
    [],
  );
});

test('of two servers of the group that list a URI the first in the group has it', () => {
  const contested = { included_tools: ['b__y', 'a__x'], included_resources: ['r://1', 'a+r://1'] };

  assert.equal(visibleIn(contested), {
    servers: ['b', 'a'],
    prompts: ['b__p', 'b__q', 'a__p'],
    resources: ['r://1', 'a+r://1'],
    templates: [],
  });
});

test('a server’s name before a URI goes before a URI that begins like that, within the group', () => {
  const features = offering({ git: { resources: ['ssh://x'] }, own: { resources: ['git+ssh://x'] } });
  const catalog = knownTools({ git: ['t'], own: ['t'] });
  const serverIn = (included_tools: readonly string[]) =>
    visibleFeatures(groupOf({ included_tools, included_resources: ['git+ssh://x'] }), catalog, features)
      .resources[0]?.server;

  assert.equal([serverIn(['own__t', 'git__t']), serverIn(['own__t']), serverIn([])], ['git', 'own', 'git']);
});

test('what an upgrade found is found on, unless a server of the group lists it', () => {
  const former: FormerServers = {
    serverOf: (group, entry) => (group === 'ops' && entry === 'r://1' ? 'a' : undefined),
  };
  const included_resources = ['r://1', 'r://2'];

  assert.equal(visibleIn({ included_resources }, tools, former).servers, ['a']);
  assert.equal(visibleIn({ included_resources }, tools, former).resources, ['r://1']);
  assert.equal(visibleIn({ included_tools: ['b__y'], included_resources }, tools, former).servers, ['b']);
});

test('entries that are not clear are told with the servers and with what to write', () => {
  const warningsIn = (fields: Record<string, unknown>) => {
    const group = groupOf(fields);
    return resourceWarnings(group, entryScope(group, knownTools(tools), offering(contents)));
  };
  const twice = warningsIn({ included_tools: ['b__y', 'a__x'], included_resources: ['r://1', 'r://2'] });
  const outside = warningsIn({ included_tools: ['c__x'], included_resources: ['r://1', 'r://gone'] });

  assert.is(twice.length, 1);
  assert.match(
    twice[0] ?? '',
    '`r://1` in `included_resources` is listed by `b`, `a` of this group: `b` is used',
  );
  assert.match(twice[0] ?? '', 'Write `a+r://1` for the other.');
  assert.is(outside.length, 1);
  assert.match(outside[0] ?? '', 'only by `a`, `b`: nothing is shown. Write `a+r://1`');
});

test('warnings are few and short, whatever a file and its servers say', () => {
  const uris = Array.from({ length: 50 }, (_, at) => `r://${at}/${'x'.repeat(1_000)}`);
  const group = groupOf({ included_tools: ['a__x', 'b__y'], included_resources: uris });
  const features = offering({ a: { resources: uris }, b: { resources: uris } });
  const warnings = resourceWarnings(group, entryScope(group, knownTools(tools), features));

  assert.is(warnings.length, 20);
  for (const warning of warnings) assert.ok(warning.length < 700, warning);
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
