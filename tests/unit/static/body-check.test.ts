/** The page's checker says of a body what the service's own structs say, as far as a schema can. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RegistrationBody } from '../../../handlers/manager/servers/registration-body.ts';
import { check } from '../../../lib/json/check.ts';
import type { AnyStruct } from '../../../lib/json/json-schema.ts';
import { ProvisionRequest } from '../../../lib/registry/provisioning/provision-request.ts';
import { breachesIn, inUnit, numberSentence, readNumber } from '../../../static/add-server/body-check.js';
import { rulesOf } from '../../../static/lib/api-rules.js';
import { document } from '../../support/api-document.ts';
import {
  badConfigs,
  badRequests,
  beyondSchemas,
  goodConfigs,
  goodRequests,
} from '../../support/server-bodies.ts';

const test = suite('bodies checked in the dashboard');
const rules = rulesOf(document);

function isAccepted(value: unknown, struct: AnyStruct): boolean {
  try {
    check(value, struct);
    return true;
  } catch {
    return false;
  }
}

for (const [call, struct, values] of [
  ['POST /api/servers', RegistrationBody, [...goodConfigs, ...badConfigs]],
  ['POST /api/servers/provision', ProvisionRequest, [...goodRequests, ...badRequests]],
] as const) {
  test(`the verdict on a body of ${call} is the struct's`, () => {
    const rule = rules.bodyOf(call);
    assert.ok(rule && values.length > 5);
    for (const value of values) {
      const breaches = breachesIn(rule, value);
      const shown = `${JSON.stringify(value)?.slice(0, 100)} ${JSON.stringify(breaches).slice(0, 200)}`;
      assert.is(breaches.length === 0, isAccepted(value, struct), shown);
    }
  });
}

test('what a schema cannot say is left to the service', () => {
  const rule = rules.bodyOf('POST /api/servers');
  for (const [reason, value] of beyondSchemas) assert.equal(rule && breachesIn(rule, value), [], reason);
});

test('each part that breaks its rule is told with its place and the keyword', () => {
  const rule = rules.bodyOf('POST /api/servers/provision');
  const body = {
    ...{ name: 'a__b', image: 'x', port: 0, limits: { cpus: 300 }, volumes: [{ path: '/a' }, { path: 'b' }] },
    ...{ env_vars: { 'A B': '' }, further: true, description: undefined },
  };

  const told = rule && breachesIn(rule, body).map(({ path, keyword }) => `${path.join('.')} ${keyword}`);

  assert.equal(told?.sort(), [
    ...['env_vars.A B propertyNames', 'further additionalProperties', 'limits.cpus maximum'],
    ...['name pattern', 'port minimum', 'volumes.1.path pattern'],
  ]);
});

test('a number is read in the unit of its field, and its bounds are told in it', () => {
  const seconds = inUnit({ type: 'integer', minimum: 100, maximum: 600_000, default: 30_000 }, 1_000);

  assert.is(seconds?.default, 30);
  assert.equal(readNumber(' 90 ', seconds), { value: 90 });
  assert.equal(readNumber('', seconds), {});
  for (const typed of ['0', '601', '1.5', 'x', 'Infinity'])
    assert.equal(readNumber(typed, seconds), { problem: 'A whole number from 1 to 600.' }, typed);
  assert.is(numberSentence({ type: 'number', minimum: 0.01, maximum: 256 }), 'A number from 0.01 to 256.');
  assert.is(
    numberSentence({ type: 'integer', minimum: 16, maximum: 1_048_576 }),
    'A whole number from 16 to 1,048,576.',
  );
});

test('without a rule every number is sent, and what is none is told', () => {
  assert.equal(readNumber('1.5', undefined), { value: 1.5 });
  assert.equal(readNumber('two', undefined), { problem: 'A number is needed.' });
});

test.run();
