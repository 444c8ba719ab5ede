/** The JSON Schema of what registers a server accepts what its struct accepts, and refuses what it refuses. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RegistrationBody } from '../../../handlers/manager/servers/registration-body.ts';
import { canonicalText, parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { ServerConfigDocument } from '../../../lib/config/server-config-document.ts';
import { check } from '../../../lib/json/check.ts';
import { type AnyStruct, createSchemaWriter, type JsonSchema } from '../../../lib/json/json-schema.ts';
import { ProvisionRequest } from '../../../lib/registry/provisioning/provision-request.ts';
import {
  badConfigs,
  badRequests,
  beyondSchemas,
  config,
  goodConfigs,
  goodRequests,
} from '../../support/server-bodies.ts';

const test = suite('structs of servers as JSON Schema');

/** What `document` is refused with by the struct; undefined: it is accepted. */
function refusalOf(document: unknown, struct: AnyStruct): string | undefined {
  try {
    check(document, struct);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function schemaOf(struct: AnyStruct): JsonSchema {
  const writer = createSchemaWriter((name) => `#/$defs/${name}`);
  return { ...writer.write(struct), $defs: writer.components() };
}

function assertAgree(struct: AnyStruct, good: readonly unknown[], bad: readonly unknown[]): void {
  const fits = new Ajv2020({ strict: false }).compile(schemaOf(struct));
  for (const value of good) {
    const shown = JSON.stringify(value).slice(0, 100);
    assert.is(refusalOf(value, struct), undefined, `the struct: ${shown}`);
    assert.ok(fits(value), `the schema: ${shown} ${JSON.stringify(fits.errors)}`);
  }
  for (const value of bad) {
    const shown = JSON.stringify(value)?.slice(0, 100);
    assert.ok(refusalOf(value, struct), `the struct accepts ${shown}`);
    assert.not(fits(value), `the schema accepts ${shown}`);
  }
}

test('a registration config fits the schema exactly when the struct accepts it', () => {
  assertAgree(ServerConfigDocument, goodConfigs, badConfigs);
});

test('a config with options fits the schema of the whole body', () => {
  const withOptions = goodConfigs.map((one) => ({ ...(one as object), dry_run: true, replace: false }));

  assertAgree(
    RegistrationBody,
    [...goodConfigs, ...withOptions],
    [...badConfigs, config({ dry_run: 'yes' })],
  );
});

test('a provision fits the schema exactly when the struct accepts it', () => {
  assertAgree(ProvisionRequest, goodRequests, badRequests);
});

test('what a schema cannot say is refused by the struct', () => {
  const fits = new Ajv2020({ strict: false }).compile(schemaOf(ServerConfigDocument));
  for (const [reason, document] of beyondSchemas) {
    assert.ok(refusalOf(document, ServerConfigDocument), reason);
    assert.ok(fits(document), `the schema says it after all: ${reason}`);
  }
});

test('patterns mean the same with the flag for Unicode and without', () => {
  const patterns = new Set<string>();
  JSON.stringify(schemaOf(RegistrationBody), (key, value) => {
    if (key === 'pattern') patterns.add(value);
    return value;
  });
  const texts = JSON.stringify([goodConfigs, badConfigs]).match(/"(?:[^"\\]|\\.)*"/g) ?? [];

  assert.ok(patterns.size > 5);
  for (const pattern of patterns) {
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];
    for (const text of texts.map((one) => JSON.parse(one)))
      assert.is(plain.test(text), unicode.test(text), pattern);
  }
});

test('the defaults that the schema names are those that a config gets', () => {
  const { properties } = schemaOf(RegistrationBody) as JsonSchema & Described;
  const { dry_run, replace, discard_data, path, ...ofConfig } = defaultsIn(properties);
  const plain = { name: 'x', image: 'acme/x:1', transport: 'stdio' };

  assert.equal([dry_run, replace, discard_data, path], [false, false, false, '/mcp']);
  assert.ok(Object.keys(ofConfig).length > 5);
  assert.is(
    canonicalText(parseServerConfig({ ...plain, ...ofConfig })),
    canonicalText(parseServerConfig(plain)),
  );
});

interface Described {
  readonly properties: Readonly<Record<string, Partial<Described> & { readonly default?: unknown }>>;
}

function defaultsIn(fields: Described['properties']): Record<string, unknown> {
  const found = Object.entries(fields).flatMap(([name, { default: standard, properties }]) => {
    const value = properties === undefined ? standard : defaultsIn(properties);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

test.run();
