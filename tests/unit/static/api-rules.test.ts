import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { managerEndpoints } from '../../../handlers/manager/endpoints.ts';
import { loadRules, ruleAt, rulesOf } from '../../../static/lib/api-rules.js';
import { document } from '../../support/api-document.ts';

const test = suite('the rules of bodies in the dashboard');
type Api = import('../../../static/lib/api.js').Api;
type ManagerCall = import('../../../static/lib/api.js').ManagerCall;

/** An API of which only the description is asked for. */
function describing(answer: () => Promise<object>): Api {
  const call = (name: string) => (name === 'GET /api/openapi.json' ? answer() : Promise.reject(name));
  return { call, stream: () => Promise.reject('no stream') } as unknown as Api;
}

test('every body of the manager is there, with all that it refers to in its place', () => {
  const rules = rulesOf(document);
  const names = Object.keys(managerEndpoints) as ManagerCall[];
  const withBody = names.filter((name) => 'body' in managerEndpoints[name]);

  assert.ok(withBody.length > 10);
  for (const name of withBody) {
    const rule = rules.bodyOf(name);
    assert.ok(rule?.properties ?? rule?.additionalProperties ?? rule?.type, name);
    assert.not.match(JSON.stringify(rule), '"$ref"', name);
  }
  assert.is(rules.bodyOf('GET /api/servers'), undefined);
});

test('rules and defaults of parts are those of the sources', () => {
  const rule = rulesOf(document).bodyOf('POST /api/servers/provision');

  assert.is(ruleAt(rule, 'name')?.maxLength, 30);
  assert.is(ruleAt(rule, 'limits.memory_mb')?.default, 512);
  assert.is(ruleAt(rule, 'pull')?.default, 'always');
  assert.equal(ruleAt(rule, 'transport')?.enum, ['stdio', 'streamable_http']);
  assert.is(ruleAt(rule, 'limits.nothing.at_all'), undefined);
  assert.is(ruleAt(undefined, 'name'), undefined);
});

test('a circle of references ends, and what refers to nothing has no rules', () => {
  const body = (schema: object) => ({
    paths: {
      '/api/update': { post: { requestBody: { content: { 'application/json': { schema } } } } },
    },
    components: {
      schemas: { Tree: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Tree' } } } },
    },
  });
  const of = (schema: object) => rulesOf(body(schema)).bodyOf('POST /api/update');

  assert.equal(of({ $ref: '#/components/schemas/Tree', description: 'x' }), {
    ...{ type: 'object', properties: { inner: {} }, description: 'x' },
  });
  assert.equal(of({ $ref: '#/components/schemas/None' }), {});
});

test('the description is fetched once, and again after a failure', async () => {
  let fetches = 0;
  const api = describing(async () => {
    fetches++;
    if (fetches === 1) throw new Error('away');
    return document;
  });

  const failed = await loadRules(api).then(
    () => false,
    () => true,
  );
  const [one, other] = await Promise.all([loadRules(api), loadRules(api)]);

  assert.ok(failed);
  assert.is(one, other);
  assert.is(await loadRules(api), one);
  assert.is(fetches, 2);
});

test.run();
