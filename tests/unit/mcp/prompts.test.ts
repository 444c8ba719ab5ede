import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unavailable } from '../../../lib/upstreams/upstream-failures.ts';
import { openSession, post, request } from '../../support/mcp-exchange.ts';
import { type Leg, onBothLegs } from '../../support/two-legs.ts';

const test = suite('prompts and completion');

const greet = '{"name":"greet","arguments":[{"name":"who"}],"x-unknown":12345678901234567890}';
const options = {
  servers: { demo: ['echo'], other: ['add'], plain: ['look'] },
  groups: {
    'svc-global': ['other__add', 'demo__echo'],
    chosen: { included_tools: ['demo__echo'], included_prompts: ['plain__p', 'demo__greet', 'demo__gone'] },
    renamed: { included_tools: ['demo__echo'], exposed_names: { demo__greet: 'hello' } },
    none: { included_tools: ['demo__echo'], included_prompts: [] },
    whole: { included_servers: ['silent'] },
  },
  features: {
    demo: { prompts: [greet, 'bye'], templates: ['demo://{id}'] },
    other: { prompts: ['greet'], capabilities: { prompts: {} } },
    plain: { prompts: ['p'] },
  },
};

async function ask(leg: Leg, method: string, params: unknown, group = 'svc-global') {
  const path = `/v0/groups/${group}/mcp`;
  const session = await openSession(leg.fetch, '2025-11-25', path);
  return await post(leg.fetch, request(1, method, params), session, path);
}

async function names(leg: Leg, group: string): Promise<string[]> {
  const { body } = await ask(leg, 'prompts/list', undefined, group);
  return body.result.prompts.map(({ name }: { name: string }) => name);
}

onBothLegs(
  test,
  'rule 46: a group has the prompts of the servers of its tools, named after them',
  async (leg) => {
    const { text } = await ask(leg, 'prompts/list', {});

    assert.equal(await names(leg, 'svc-global'), ['other__greet', 'demo__greet', 'demo__bye']);
    assert.ok(text.includes(greet.replace('"greet"', '"demo__greet"')), 'definitions pass byte for byte');
  },
  options,
);

onBothLegs(
  test,
  'arguments of a prompt that are no object are refused before any server hears of them',
  async (leg) => {
    for (const given of [[], 'text', 7, null]) {
      const { body } = await ask(leg, 'prompts/get', { name: 'demo__greet', arguments: given });
      assert.equal([body.error.code, body.error.message], [-32602, '`params.arguments` must be an object.']);
    }
    assert.is(leg.upstreams.calls.length, 0);
  },
  options,
);

onBothLegs(
  test,
  'a group that names prompts has those that exist, in its order, whatever tools it has',
  async (leg) => {
    assert.equal(await names(leg, 'chosen'), ['plain__p', 'demo__greet']);
    assert.is((await ask(leg, 'prompts/get', { name: 'demo__bye' }, 'chosen')).body.error.code, -32602);
    assert.is((await ask(leg, 'prompts/list', {}, 'none')).body.error.code, -32601);
  },
  options,
);

onBothLegs(
  test,
  '`exposed_names` rename prompts, and the full name is unknown then',
  async (leg) => {
    assert.equal(await names(leg, 'renamed'), ['hello', 'demo__bye']);
    await ask(leg, 'prompts/get', { name: 'hello' }, 'renamed');
    const full = await ask(leg, 'prompts/get', { name: 'demo__greet' }, 'renamed');

    assert.equal(JSON.parse(leg.upstreams.calls[0]?.params ?? ''), { name: 'greet' });
    assert.is(full.body.error.code, -32602);
  },
  options,
);

onBothLegs(
  test,
  'rule 46: a prompt is asked of its server under its own name, and all else passes both ways',
  async (leg) => {
    const result = '{"messages":[{"role":"user","content":{"type":"x-new"}}],"big":12345678901234567890}';
    leg.upstreams.answerWith(() => ({ result }));

    const { text } = await ask(leg, 'prompts/get', {
      name: 'demo__greet',
      arguments: { who: 'me' },
      more: 1,
    });

    const [call] = leg.upstreams.calls;
    assert.equal([call?.server, call?.method], ['demo', 'prompts/get']);
    assert.equal(JSON.parse(call?.params ?? ''), { name: 'greet', arguments: { who: 'me' }, more: 1 });
    assert.ok(text.includes(result));
  },
  options,
);

onBothLegs(
  test,
  'unknown prompts are -32602, servers that are down -32603 by name',
  async (leg) => {
    leg.upstreams.answerWith(() => {
      throw unavailable('demo', 'its process ended');
    });

    const unknown = await ask(leg, 'prompts/get', { name: 'greet' });
    const noName = await ask(leg, 'prompts/get', {});
    const down = await ask(leg, 'prompts/get', { name: 'demo__greet' });

    assert.equal([unknown.status, unknown.body.error.code], [200, -32602]);
    assert.match(noName.body.error.message, '`params.name` must be a string');
    assert.equal([down.status, down.body.error.code], [200, -32603]);
    assert.match(down.body.error.message, '"demo"');
  },
  options,
);

onBothLegs(
  test,
  'rule 45: completion names the server’s own prompt or template, and passes the rest',
  async (leg) => {
    const argument = { name: 'who', value: 'a' };
    const context = { arguments: { b: 'c' } };
    await ask(leg, 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'demo__greet', x: 1 },
      argument,
      context,
    });
    await ask(leg, 'completion/complete', { ref: { type: 'ref/resource', uri: 'demo://{id}' }, argument });

    const sent = leg.upstreams.calls.map(({ params }) => JSON.parse(params));
    assert.equal(sent[0], { ref: { type: 'ref/prompt', name: 'greet', x: 1 }, argument, context });
    assert.equal(sent[1], { ref: { type: 'ref/resource', uri: 'demo://{id}' }, argument });
  },
  options,
);

onBothLegs(
  test,
  'completion: a server that completes nothing is not asked, a wrong reference is -32602',
  async (leg) => {
    const argument = { name: 'who', value: 'a' };
    const complete = async (ref: unknown) => (await ask(leg, 'completion/complete', { ref, argument })).body;

    const silent = await complete({ type: 'ref/prompt', name: 'other__greet' });
    const wrong = [
      await complete({ type: 'ref/prompt', name: 'greet' }),
      await complete({ type: 'ref/tool', name: 'demo__echo' }),
      await complete({ type: 'ref/resource', uri: 'nobody://1' }),
      await complete(7),
    ];

    assert.equal(silent.result.completion.values, []);
    assert.equal(
      wrong.map(({ error }) => error.code),
      [-32602, -32602, -32602, -32602],
    );
    assert.is(leg.upstreams.calls.length, 0);
  },
  options,
);

onBothLegs(
  test,
  'rule 24: initialize declares what some server behind the group can do, no more',
  async (leg) => {
    const capabilities = async (group: string) => {
      const path = `/v0/groups/${group}/mcp`;
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      };
      return (await post(leg.fetch, request(0, 'initialize', params), {}, path)).body.result.capabilities;
    };
    leg.groups.write('prompts-only', ['other__add']);

    assert.equal(await capabilities('svc-global'), {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
    });
    assert.equal(await capabilities('prompts-only'), {
      tools: { listChanged: true },
      prompts: { listChanged: true },
    });
    assert.equal(await capabilities('whole'), { tools: { listChanged: true } });
  },
  options,
);

onBothLegs(
  test,
  'rule 15: initialize has the instructions of the servers behind the group, under their names, within bounds',
  async (leg) => {
    const path = '/v0/groups/none/mcp';
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const instructions = async () =>
      (await post(leg.fetch, request(0, 'initialize', params), {}, path)).body.result.instructions;

    assert.is(await instructions(), undefined);
    leg.features.setFeatures('other', { instructions: 'not behind it' });
    leg.features.setFeatures('demo', { instructions: `Be kind.${'!'.repeat(100_000)}` });

    assert.match(await instructions(), /^# demo\n\nBe kind\.!+$/);
    assert.ok((await instructions()).length < 20_000);
  },
  options,
);

onBothLegs(
  test,
  'one page: a cursor that was not issued is refused',
  async (leg) => {
    assert.is((await ask(leg, 'prompts/list', { cursor: 'x' })).body.error.code, -32602);
  },
  options,
);

test.run();
