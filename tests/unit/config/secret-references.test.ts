import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { referencesIn } from '../../../lib/config/references.ts';
import { knownValues, resolveReferences } from '../../../lib/config/secret-references.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Secrets } from '../../../lib/secrets/secrets.ts';
import { failureOf, reference, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('references to secrets');

const config = serverConfig({
  name: 'crm',
  description: `uses ${reference('IN_TEXT')}`,
  command: reference('A'),
  args: [`--key=${reference('B')}`, '$C', `${reference('A')}${reference('D')}`],
  env: { KEY: reference('E') },
  cwd: reference('F'),
  url: `https://${reference('G')}/mcp`,
  headers: { 'X-Key': reference('H') },
  bearerToken: reference('I'),
});

function secretsWith(values: Record<string, string>): Pick<Secrets, 'read'> {
  const read = async (names: readonly string[]) =>
    new Map(Object.entries(values).filter(([name]) => names.includes(name)));
  return { read };
}

const unreachable = { read: () => Promise.reject(new Failure('internal', 'down')) };

test('are found in every string that starts the server, and in no text for people', () => {
  assert.equal(referencesIn(config), ['A', 'B', 'D', 'E', 'F', 'G', 'H', 'I']);
});

test('are replaced by their values, once: a value is not looked into', async () => {
  const values = { A: 'a', B: reference('A'), D: '$&', E: '', F: 'f', G: 'g', H: 'h', I: 'i' };

  const resolved = await resolveReferences(config, secretsWith(values));

  assert.equal(resolved.config.args, [`--key=${reference('A')}`, '$C', 'a$&']);
  assert.is(resolved.config.url, 'https://g/mcp');
  assert.equal(resolved.config.env, { KEY: '' });
  assert.is(resolved.config.description, config.description);
});

test('what was put in is to be hidden, and literals in places for secrets with it', async () => {
  const mixed = serverConfig({
    name: 'crm',
    args: ['plain'],
    env: { KEY: reference('A'), LITERAL: 'in-env' },
    headers: { 'X-Key': 'in-header' },
    bearerToken: 'in-token',
  });

  const { values } = await resolveReferences(mixed, secretsWith({ A: 'referred' }));

  assert.equal(values, ['referred', 'in-env', 'in-header', 'in-token']);
});

test('what is to be hidden is known as far as it can be, also while the server cannot start', async () => {
  const mixed = serverConfig({
    name: 'crm',
    env: { KEY: reference('A'), MISSING: reference('B'), LITERAL: 'in-env' },
  });

  assert.equal(await knownValues(mixed, secretsWith({ A: 'referred' })), ['referred', 'in-env']);
});

test('what is to be hidden is not known while the values cannot be read', async () => {
  assert.is((await failureOf(knownValues(config, unreachable))).message, 'down');
});

test('without a value are named, all at once, and nothing else is', async () => {
  const failure = await failureOf(
    resolveReferences(config, secretsWith({ A: 'secret', B: 'b', D: 'd', E: 'e', F: 'f' })),
  );

  assert.is(
    failure.message,
    'The server "crm" cannot start: the variables G, H, I have no value; add it to the secrets.',
  );
  assert.equal((failure as { details?: unknown }).details, { missing_variables: ['G', 'H', 'I'] });
});

test('a config without any needs no secrets method', async () => {
  const plain = serverConfig({ name: 'plain', args: ['$HOME', '${', reference('1')] });

  assert.is((await resolveReferences(plain, unreachable)).config, plain);
  assert.equal(await knownValues(plain, unreachable), []);
});

test.run();
