import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayEndpoints } from '../../../handlers/gateway/gateway-endpoints.ts';
import { gatewayRoutes } from '../../../handlers/gateway/routes.ts';
import { managerEndpoints } from '../../../handlers/manager/endpoints.ts';
import { managerRoutes } from '../../../handlers/manager/routes.ts';
import { probeEndpoints } from '../../../handlers/probe-endpoints.ts';
import { failureKinds } from '../../../lib/failure.ts';
import type { Endpoints } from '../../../lib/openapi/endpoint.ts';
import { document, problemsOfAnswer } from '../../support/api-document.ts';

const test = suite('the OpenAPI document');

interface Routed {
  readonly routes: readonly (readonly [method: string, pattern: RegExp, handlers: unknown, path: string])[];
}

/** `/static/*` is `/static/{path}` in OpenAPI, `:name` is `{name}`. */
function keysOf({ routes }: Routed): string[] {
  return routes.map(([method, , , path]) => {
    const template = path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}');
    return `${method} ${template === '' ? '/' : template}`;
  });
}

const sets: readonly (readonly [string, Routed, Endpoints])[] = [
  ['manager', managerRoutes() as unknown as Routed, managerEndpoints],
  ['gateway', gatewayRoutes() as unknown as Routed, { ...gatewayEndpoints, ...probeEndpoints }],
];

for (const [set, routes, endpoints] of sets) {
  test(`every route of the ${set} is described, and every description is of a route`, () => {
    const keys = keysOf(routes).sort();

    assert.ok(keys.length > 5);
    assert.equal(Object.keys(endpoints).sort(), keys);
  });
}

test('every described endpoint is in the document, at the address of its port', () => {
  for (const [set, , endpoints] of sets) {
    const port = set === 'manager' ? 3701 : 3700;
    for (const key of Object.keys(endpoints)) {
      const [method = '', path = ''] = key.split(' ');
      const item = document.paths[path];
      const servers: { url: string }[] = item.servers ?? document.servers;
      assert.ok(item[method.toLowerCase()], key);
      assert.ok(
        servers.some(({ url }) => url.endsWith(`:${port}`)),
        key,
      );
    }
  }
});

test('every example has an answer that the document allows', () => {
  const problems = sets.flatMap(([, , endpoints]) =>
    Object.entries(endpoints).flatMap(([key, { examples = [] }]) =>
      examples.flatMap(({ name, status }) => {
        const [method = '', path = ''] = key.split(' ');
        const known = document.paths[path][method.toLowerCase()].responses[status];
        return known ? [] : [`${key}, ${name}: ${status}`];
      }),
    ),
  );

  assert.equal(problems, []);
});

test('every error code has its meaning', () => {
  const { description } = document.components.schemas.Failure.properties.code;

  for (const code of Object.keys(failureKinds))
    assert.match(description, new RegExp(`- \`${code}\`: [A-Z\`].+\\.`));
});

const answer = { method: 'GET', path: '/api/groups', status: 200, mediaType: 'application/json' };
const groups = { success: true, groups: [], default: 'g', gateway_url: 'u' };

test('the judge of answers finds a wrong type, a missing and an unknown field', () => {
  const judge = (body: unknown) => problemsOfAnswer({ ...answer, text: JSON.stringify(body) });

  assert.equal(judge(groups), []);
  assert.match(judge({ ...groups, groups: [1] }).join(), /groups\/0 must be string/);
  assert.match(judge({ ...groups, default: undefined }).join(), /must have required property 'default'/);
  assert.match(judge({ ...groups, more: 1 }).join(), /"more"/);
});

test('the judge of answers finds a code, a status, a media type and an event that the document has not', () => {
  const failure = { success: false, error: 'It is.', code: 'conflict', request_id: 'x' };
  const text = JSON.stringify(failure);

  assert.match(problemsOfAnswer({ ...answer, status: 403, text }).join(), /code must be equal to one of/);
  assert.match(problemsOfAnswer({ ...answer, status: 418, text }).join(), /no such status/);
  assert.match(problemsOfAnswer({ ...answer, mediaType: 'text/html', text: '' }).join(), /no text\/html/);
  const events = { ...answer, path: '/api/events', mediaType: 'text/event-stream' };
  assert.equal(problemsOfAnswer({ ...events, text: 'data: {"type":"group","name":"g"}\n\n' }), []);
  assert.match(problemsOfAnswer({ ...events, text: 'data: {"type":"group"}\n\n' }).join(), /'name'/);
  assert.match(problemsOfAnswer({ ...events, text: 'event: other\ndata: {}\n\n' }).join(), /event other/);
});

test.run();
