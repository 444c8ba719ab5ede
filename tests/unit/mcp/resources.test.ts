import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseUnavailable } from '../../../lib/failure.ts';
import type { ResourceRouting } from '../../../lib/sessions/seen-uris/shared-seen-uris.ts';
import { unavailable, unknownServer } from '../../../lib/upstreams/upstream-failures.ts';
import { openSession, post, request } from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

const test = suite('resources');

const options = {
  servers: { one: ['a'], two: ['b'], bare: ['c'] },
  groups: {
    'svc-global': ['one__a', 'two__b', 'bare__c'],
    single: ['one__a'],
    chosen: {
      included_tools: ['one__a'],
      included_resources: ['two+x://shared', 'two+two://{+path}', 'one://gone'],
    },
    none: { included_tools: ['one__a'], included_resources: [] },
  },
  features: {
    one: { resources: ['x://shared', 'one://list'], templates: ['one://item/{id}'] },
    two: { resources: ['x://shared', 'two://list'], templates: ['two://{+path}', 'one://item/{id}'] },
    bare: { capabilities: { tools: {} } },
  },
};

async function open(leg: Leg, group = 'svc-global') {
  const path = `/v0/groups/${group}/mcp`;
  const session = await openSession(leg.fetch, '2025-11-25', path);
  return async (method: string, params?: unknown) =>
    (await post(leg.fetch, request(1, method, params), session, path)).body;
}

/** Which server was asked, and for what. */
async function readers(leg: Leg, uris: readonly string[], group?: string) {
  const ask = await open(leg, group);
  for (const uri of uris) await ask('resources/read', { uri });
  return leg.upstreams.calls.map(({ server, params }) => `${server} ${JSON.parse(params).uri}`);
}

onBothLegs(
  test,
  'rule 47: URIs stay as they are, and the later of two servers with one URI gets its name before it',
  async (leg) => {
    const ask = await open(leg);

    const { resources } = (await ask('resources/list')).result;
    const { resourceTemplates } = (await ask('resources/templates/list')).result;

    assert.equal(
      resources.map(({ uri }: { uri: string }) => uri),
      ['x://shared', 'one://list', 'two+x://shared', 'two://list'],
    );
    assert.equal(
      resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate),
      ['one://item/{id}', 'two://{+path}', 'two+one://item/{id}'],
    );
  },
  options,
);

onBothLegs(
  test,
  'rule 47: a read goes to the server that lists the URI, or whose template it matches, as that server knows it',
  async (leg) => {
    const uris = ['x://shared', 'two+x://shared', 'one://item/5', 'two+one://item/6', 'two://any/thing'];

    assert.equal(await readers(leg, uris), [
      'one x://shared',
      'two x://shared',
      'one one://item/5',
      'two one://item/6',
      'two two://any/thing',
    ]);
  },
  options,
);

onBothLegs(
  test,
  'rule 47: what was read under a name of ours comes back under it, all else to the letter',
  async (leg) => {
    const rest = '"big":12345678901234567890,"text":"x://shared"';
    leg.upstreams.answerWith(() => ({
      result: `{"contents":[{"uri":"x:\\/\\/shared",${rest}},{"uri":"x://other"}],"x-new":1}`,
    }));
    const path = '/v0/groups/svc-global/mcp';
    const session = await openSession(leg.fetch, '2025-11-25', path);
    const read = async (uri: string) =>
      (await post(leg.fetch, request(1, 'resources/read', { uri }), session, path)).text;

    const renamed = `{"contents":[{"uri":"two+x://shared",${rest}},{"uri":"x://other"}],"x-new":1}`;
    assert.ok((await read('two+x://shared')).includes(renamed));
    assert.ok((await read('x://shared')).includes('"x:\\/\\/shared"'));
  },
  options,
);

onBothLegs(
  test,
  'rule 47: a URI that a server showed in a result is read back from it, in that group',
  async (leg) => {
    const link = { type: 'resource_link', uri: 'hidden://a"b', name: 'n' };
    const inText = { type: 'text', text: '{"uri":"quoted://1"}' };
    leg.upstreams.answerWith(() => ({ result: JSON.stringify({ content: [link, inText] }) }));
    const ask = await open(leg);

    const before = await ask('resources/read', { uri: link.uri });
    await ask('tools/call', { name: 'two__b' });
    await ask('resources/read', { uri: link.uri });
    const quoted = await ask('resources/read', { uri: 'quoted://1' });

    assert.is(before.error.code, -32002);
    assert.equal(leg.upstreams.calls.at(-1)?.server, 'two');
    assert.is(quoted.error.code, -32002);
    assert.is((await (await open(leg, 'chosen'))('resources/read', { uri: link.uri })).error.code, -32002);
  },
  options,
);

/** The URIs that another process showed, and what this one tells. */
const toldUris: string[] = [];
let isAway = false;
const withOtherProcesses = {
  ...options,
  sharedSeenUris: {
    async store(group: string, server: string, uris: readonly string[], { isListed }: ResourceRouting) {
      toldUris.push(...uris.map((uri) => `${group} ${server} ${uri}${isListed(uri) ? ' is listed' : ''}`));
    },
    async serverOf(_group: string, uri: string) {
      if (isAway) throw databaseUnavailable();
      return /^(one|two|bare)(?=-elsewhere:)/.exec(uri)?.[0];
    },
    async reap() {},
  },
};

onBothLegs(
  test,
  'rule 47: a URI that was shown at another process is read from its server, as long as the group may ask that',
  async (leg) => {
    const uris = ['two-elsewhere://1', 'one-elsewhere://2', 'bare-elsewhere://3', 'nobody://4'];

    assert.equal(await readers(leg, uris), ['two two-elsewhere://1', 'one one-elsewhere://2']);
  },
  withOtherProcesses,
);

onBothLegs(
  test,
  'rule 47: other processes are told of links before the client has the answer, of a call as of a read',
  async (leg) => {
    const uris = ['hidden://a', 'one://list', 'two://any/thing'];
    const content = uris.map((uri) => ({ type: 'resource_link', uri, name: 'n' }));
    leg.upstreams.answerWith(() => ({ result: JSON.stringify({ content }) }));
    const ask = await open(leg);
    toldUris.length = 0;

    await ask('tools/call', { name: 'two__b' });
    const afterCall = [...toldUris];
    await ask('resources/read', { uri: 'one://list' });

    const shown = ['hidden://a', 'one://list is listed', 'two://any/thing is listed'];
    assert.equal(
      afterCall,
      shown.map((uri) => `svc-global two ${uri}`),
    );
    assert.equal(
      toldUris.slice(3),
      shown.map((uri) => `svc-global one ${uri}`),
    );
  },
  withOtherProcesses,
);

onBothLegs(
  test,
  'while nobody can tell whether another process showed a URI, no reader is told that it is not there',
  async (leg) => {
    const ask = await open(leg);
    const askSingle = await open(leg, 'single');
    leg.upstreams.answerWith(() => ({ error: '{"code":-32603,"message":"no"}' }));
    isAway = true;

    const unknown = await ask('resources/read', { uri: 'one-elsewhere://1' });
    const single = await askSingle('resources/read', { uri: 'one-elsewhere://1' });
    isAway = false;
    const known = await askSingle('resources/read', { uri: 'one-elsewhere://1' });

    assert.match(unknown.error.message, 'database');
    assert.is.not(unknown.error.code, -32002);
    // The group's only server was asked all the same.
    assert.is(single.error.code, -32002);
    assert.is(known.error.code, -32603, 'what a server says of a link that it showed passes');
    assert.is(leg.upstreams.calls.length, 2);
  },
  withOtherProcesses,
);

onBothLegs(
  test,
  'a resource that nobody has is -32002 with its URI',
  async (leg) => {
    const { error } = await (await open(leg))('resources/read', { uri: 'nobody://1' });

    assert.is(error.code, -32002);
    assert.is(error.data.uri, 'nobody://1');
    assert.is(leg.upstreams.calls.length, 0);
  },
  options,
);

onBothLegs(
  test,
  'the one server of a group that has resources is asked for those it does not list',
  async (leg) => {
    const ask = await open(leg, 'single');
    leg.upstreams.answerWith(({ params }) =>
      params.includes('unlisted')
        ? { result: '{"contents":[]}' }
        : { error: '{"code":-32602,"message":"no"}' },
    );

    const found = await ask('resources/read', { uri: 'one://unlisted' });
    const missing = await ask('resources/read', { uri: 'one://missing' });
    const listed = await ask('resources/read', { uri: 'one://list' });

    assert.equal(found.result, { contents: [] });
    assert.is(missing.error.code, -32002);
    assert.is(listed.error.code, -32602, 'what a server says of its own passes');
  },
  options,
);

onBothLegs(
  test,
  'a group that names resources shows and reads only those',
  async (leg) => {
    const ask = await open(leg, 'chosen');

    const { resources } = (await ask('resources/list')).result;
    const refused = await ask('resources/read', { uri: 'one://list' });

    assert.equal(
      resources.map(({ uri }: { uri: string }) => uri),
      ['x://shared'],
    );
    assert.is(refused.error.code, -32002);
    assert.equal(await readers(leg, ['x://shared', 'two://a/b'], 'chosen'), [
      'two x://shared',
      'two two://a/b',
    ]);
    assert.is((await (await open(leg, 'none'))('resources/list')).error.code, -32601);
  },
  options,
);

onBothLegs(
  test,
  'a server that is down is -32603 by name, one that was just removed has no resources',
  async (leg) => {
    const ask = await open(leg);
    leg.upstreams.answerWith(({ params }) => {
      throw params.includes('list') ? unavailable('one', 'its process ended') : unknownServer('one');
    });

    const down = await ask('resources/read', { uri: 'one://list' });
    const removed = await ask('resources/read', { uri: 'one://item/1' });

    assert.is(down.error.code, -32603);
    assert.match(down.error.message, '"one"');
    assert.is(removed.error.code, -32002);
  },
  options,
);

onBothLegs(
  test,
  'a URI that is no string, or endless, does no harm',
  async (leg) => {
    const ask = await open(leg);

    assert.is((await ask('resources/read', { uri: 7 })).error.code, -32602);
    assert.is((await ask('resources/read', {})).error.code, -32602);
    assert.is((await ask('resources/read', { uri: `two://${'x'.repeat(20_000)}` })).error.code, -32002);
  },
  options,
);

onBothLegs(
  test,
  'a second `uri` cannot smuggle in a resource that the group hides',
  async (leg) => {
    const path = '/v0/groups/chosen/mcp';
    const session = await openSession(leg.fetch, '2025-11-25', path);
    const params = '{"uri":"one://list","uri":"x://shared"}';
    await post(
      leg.fetch,
      `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":${params}}`,
      session,
      path,
    );

    assert.not.match(leg.upstreams.calls[0]?.params ?? '', 'one://list');
  },
  options,
);

test.run();
