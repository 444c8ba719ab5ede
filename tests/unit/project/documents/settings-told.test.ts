/** Settings are told in three places: the README's table, `.env.example`, and the limits of SECURITY.md. Each is the code's. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits } from '../../../../lib/config/server-config.ts';
import { readSettings } from '../../../../lib/settings/settings.ts';
import { listFiles, readText } from '../../../support/source-files.ts';
import { quantitiesIn, tableUnder } from './markdown-tables.ts';

const test = suite('settings in the documents');

/** Between them, these read every setting. */
const environments: readonly Readonly<Record<string, string>>[] = [
  {},
  { POSTGRES_HOST: 'db', POSTGRES_USER: 'u', POSTGRES_PASSWORD: 'p' },
  { SECRETS_METHOD: 'external_manager', VAULT_ADDR: 'https://vault.example', VAULT_TOKEN: 't' },
];

/** Settings that are read before the others, or by the command line alone. */
const readElsewhere: Readonly<Record<string, string>> = {
  GATEWAY_HOME: 'lib/home/node-home.ts',
  INTERNAL_GATEWAY_URL: 'lib/cli/cli-settings.ts',
};

/** Variables of others that the settings take into account. */
const ofOthers = ['DOCKER_CONFIG', 'HOME'];

/** Of the compose file and the Makefile, not of the service. */
const ofStack = ['DOCKER_SOCKET', 'DOCKER_GID', 'APP_UID', 'APP_GID'];

function namesRead(): Set<string> {
  const names = new Set(Object.keys(readElsewhere));
  for (const environment of environments) {
    readSettings(
      new Proxy(environment, {
        get(variables, name: string) {
          names.add(name);
          return variables[name];
        },
      }),
    );
  }
  for (const name of ofOthers) names.delete(name);
  return names;
}

interface Told {
  readonly name: string;
  /** As written; undefined where the document gives none for this name alone. */
  readonly value: string | undefined;
}

/** Rows of several settings have as many defaults, in the same order, or one sentence for all. */
const inReadme: readonly Told[] = tableUnder(readText('README.md'), 'Settings').flatMap(
  ([names = '', defaults = '', meaning = '']) => {
    const values = defaults.split(', ');
    const listed = [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name);
    const isOneForAll = values.length === 1;
    const isOneEach = values.length === listed.length;
    const more = [...meaning.matchAll(/`((?:POSTGRES|VAULT)_[A-Z]+)`/g)].map(([, name = '']) => name);
    return [
      ...listed.map((name, at) => ({
        name,
        value: isOneForAll ? values[0] : isOneEach ? values[at] : undefined,
      })),
      ...more.map((name) => ({ name, value: undefined })),
    ];
  },
);

const inExample: readonly Told[] = [...readText('.env.example').matchAll(/^#([A-Z_]+)=(.*)$/gm)]
  .map(([, name = '', value = '']) => ({ name, value: value === '' ? undefined : value }))
  .filter(({ name }) => !ofStack.includes(name));

const sorted = (names: Iterable<string>) => [...names].sort();

/** A default as the code knows it: `text` in code quotes, or a number, perhaps explained in parentheses. */
function literal(value: string | undefined): string | undefined {
  const [, text, number] = /^(?:`([^`]+)`|(\d+)(?: \(.*\))?)$/.exec(value ?? '') ?? [];
  return (text ?? number)?.replace('DATA_DIR/', '.data/');
}

function isDefault(name: string, value: string): boolean {
  return environments.every((environment) => {
    if (name in environment) return true;
    const given = readSettings({ ...environment, [name]: value });
    return JSON.stringify(plain(given)) === JSON.stringify(plain(readSettings(environment)));
  });
}

/** Sets and maps as lists, so that they can be compared as text. */
function plain(settings: object): unknown {
  return Object.entries(settings).map(([key, value]) => [
    key,
    value instanceof Set || value instanceof Map ? [...value] : value,
  ]);
}

function memberOf(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

test('the README lists the settings that the code reads, no other and none twice', () => {
  assert.equal(sorted(inReadme.map(({ name }) => name)), sorted(namesRead()));
  for (const [name, path] of Object.entries(readElsewhere)) assert.ok(readText(path).includes(name), name);
});

test('.env.example lists them in the same order', () => {
  const first = (told: readonly Told[]) => told.map(({ name }) => name);
  const order = first(inReadme).filter((name) => !/^(POSTGRES|VAULT)_/.test(name));

  assert.equal(sorted(first(inExample)), sorted(namesRead()));
  assert.equal(
    first(inExample).filter((name) => order.includes(name)),
    order,
  );
});

test('each default that is told is the one that counts', () => {
  const told = [...inReadme.map(({ name, value }) => ({ name, value: literal(value) })), ...inExample];
  const wrong = told.filter(({ name, value }) => value !== undefined && !isDefault(name, value));

  assert.ok(told.filter(({ value }) => value !== undefined).length > 40);
  assert.equal(wrong, []);
});

test('a default that is another one is found', () => {
  assert.not.ok(isDefault('MANAGER_PORT', '3702'));
  assert.not.ok(isDefault('POSTGRES_PORT', '5433'));
  assert.ok(isDefault('POSTGRES_PORT', '5432'));
});

test('settings with "none" or "any" for a default are unset or empty', () => {
  const settings: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(readSettings({})));
  const open = inReadme.filter(({ value }) => value === 'none' || value === 'any');

  assert.ok(open.length >= 4, open.map(({ name }) => name).join());
  for (const { name } of open) {
    const value = settings[memberOf(name)];
    const entries = value instanceof Map ? [...value] : value;
    assert.ok(memberOf(name) in settings, name);
    assert.ok(entries === undefined || (Array.isArray(entries) && entries.length === 0), name);
  }
});

test('a limit with a setting has that setting’s default', () => {
  const settings: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(readSettings({})));
  const numbers = tableUnder(readText('SECURITY.md'), 'Limits').flatMap(([, limit = '', , setting = '']) =>
    [...setting.matchAll(/`([A-Z_]+)`/g)].flatMap(([, name = '']) => {
      const value = settings[memberOf(name)];
      return typeof value === 'number' ? [{ name, value, told: quantitiesIn(limit) }] : [];
    }),
  );

  assert.ok(numbers.length >= 7, numbers.map(({ name }) => name).join());
  for (const { name, value, told } of numbers)
    assert.ok(told.includes(value), `${name}: ${told} or ${value}`);
});

test('a limit of a server has the default of its config', () => {
  const rows = tableUnder(readText('SECURITY.md'), 'Limits').filter(([, , , setting = '']) =>
    setting.includes('`limits.'),
  );
  const limits: Readonly<Record<string, number>> = Object.fromEntries(Object.entries(defaultLimits));
  const seen = new Set<string>();
  for (const [what = '', limit = '', , setting = ''] of rows) {
    for (const [, name = ''] of setting.matchAll(/`(?:limits\.)?([a-z_]+)`/g)) {
      seen.add(memberOf(name));
      assert.ok(quantitiesIn(limit).includes(limits[memberOf(name)] ?? Number.NaN), `${what}: ${name}`);
    }
  }

  assert.equal(sorted(seen), sorted(Object.keys(limits)));
});

test('each variable that a document names is a setting, or is read somewhere', () => {
  const files = listFiles();
  const settings = namesRead();
  const texts = files
    .filter((path) =>
      /^(lib|bin|scripts|tests|\.ci)\/|^(Makefile|docker-compose\.yml|Dockerfile)$/.test(path),
    )
    .filter((path) => !path.startsWith('tests/unit/project/documents/'))
    .map(readText)
    .join('\n');
  const documents = files.filter((path) => /^(\w+|docs\/[\w-]+)\.md$/.test(path) && path !== 'CHANGELOG.md');
  const unknown = documents.flatMap((path) =>
    [...readText(path).matchAll(/`([A-Z]+(?:_[A-Z]+)+)\b[^`\n]*`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !settings.has(name) && !new RegExp(`\\b${name}\\b`).test(texts))
      .map((name) => `${path}: ${name}`),
  );

  assert.equal(unknown, []);
});

test.run();
