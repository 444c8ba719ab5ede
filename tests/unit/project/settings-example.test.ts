/** `.env.example` beside the code that reads settings: the same names, and the defaults that it shows. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readCliSettings } from '../../../lib/cli/cli-settings.ts';
import { readSettings } from '../../../lib/settings/settings.ts';
import { readText } from '../../support/source-files.ts';

const test = suite('.env.example');

type Variables = Readonly<Record<string, string>>;

const example = readText('.env.example');
const shown: Variables = Object.fromEntries(
  [...example.matchAll(/^#([A-Z][A-Z_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
/** Together they make the reader ask for every setting. */
const installations: readonly Variables[] = [
  {},
  { POSTGRES_HOST: 'db', POSTGRES_USER: 'svc', POSTGRES_PASSWORD: 'x' },
  { SECRETS_METHOD: 'external_manager', VAULT_ADDR: 'https://vault.example', VAULT_TOKEN: 'x' },
];
/** docker's own, which the comments name. */
const ofOthers = ['DOCKER_CONFIG', 'HOME'];
/** Decides where `.env` is, before it is read. */
const ofHome = 'GATEWAY_HOME';

function namesRead(read: (variables: Variables) => unknown): string[] {
  const names = new Set<string>();
  for (const variables of installations) {
    const asked = new Proxy(variables, {
      get(target, name) {
        names.add(String(name));
        return Reflect.get(target, name);
      },
    });
    read(asked);
  }
  return [...names];
}

/** The command line copies its environment first, so that no proxy sees what it reads. */
function namesOfCli(): string[] {
  const { gatewayUrl } = readCliSettings({ INTERNAL_GATEWAY_URL: 'http://gateway:3700' }, '/nowhere');
  return gatewayUrl === undefined ? [] : ['INTERNAL_GATEWAY_URL'];
}

function stackNames(): string[] {
  const stack = readText('docker-compose.yml') + readText('scripts/stack/environment.sh');
  return ['DOCKER_SOCKET', 'DOCKER_GID', 'APP_UID', 'APP_GID'].filter((name) =>
    stack.includes(`\${${name}:`),
  );
}

test('it has each setting that is read, and no other', () => {
  const read = namesRead(readSettings).filter((name) => !ofOthers.includes(name));

  assert.equal(Object.keys(shown).sort(), [...read, ...namesOfCli(), ...stackNames(), ofHome].sort());
});

test('what settings of others decide is said in words', () => {
  assert.match(example, /DOCKER_CONFIG or in ~\/\.docker/);
});

test('the defaults that it shows are those of the service', () => {
  for (const variables of installations) {
    assert.equal(readSettings({ ...shown, ...variables }), readSettings(variables));
  }
});

test('the stack and the health check have the same defaults', () => {
  const compose = readText('docker-compose.yml').matchAll(/\$\{([A-Z_]+):-([^}]+)\}/g);
  const script = readText('scripts/stack/environment.sh').matchAll(/\$\(setting ([A-Z_]+) ([^'"$)]+)\)/g);
  const health = readText('bin/healthcheck.js').matchAll(/\b([A-Z_]+) = '([^']*)'/g);
  const told = [...compose, ...script, ...health].filter(([, name = '']) => (shown[name] ?? '') !== '');

  assert.ok(told.length >= 9);
  for (const [, name = '', value] of told) assert.is(value, shown[name], name);
});

test.run();
