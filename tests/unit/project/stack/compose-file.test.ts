import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readText } from '../../../support/source-files.ts';

const test = suite('docker-compose.yml');

/** What a service of the stack finds in its environment: the settings of `.env`, and on top what the file says. */
function environmentOf(service: string, settings: Record<string, string>): Record<string, string> {
  const [, section = ''] = readText('docker-compose.yml').split(`\n  ${service}:\n`);
  const lines = (section.split(/^ {0,2}\w/m)[0] ?? '').matchAll(/^ {6}([A-Z_]+): "?(.*?)"?$/gm);
  return { ...settings, ...Object.fromEntries([...lines].map(([, name, value]) => [name, value])) };
}

const tokens = { ADMIN_TOKEN: 'for-people', GATEWAY_TOKEN: 'for-agents' };

test('the manager knows that agents need a token, and says so in their configurations', () => {
  const { ROLES, ...environment } = environmentOf('manager', tokens);

  assert.is(ROLES, 'manager');
  assert.is(environment.GATEWAY_TOKEN, 'for-agents');
});

test('the gateway, which agents reach, does not know what people prove themselves with', () => {
  const { ROLES, ...environment } = environmentOf('gateway', tokens);

  assert.is(ROLES, 'gateway');
  assert.is(environment.ADMIN_TOKEN, '');
});

test('it opens its ports without tokens only to this machine', () => {
  const text = readText('docker-compose.yml');
  const published = [...text.matchAll(/ports: \["(.*)"\]/g)].map(([, port]) => port);

  assert.match(text, /^ {2}ALLOW_OPEN: "1"$/m);
  assert.is(published.length, 2);
  for (const port of published) assert.match(port ?? '', /^127\.0\.0\.1:/);
});

test('the two reach each other by name, and names of .env count too', () => {
  assert.match(readText('docker-compose.yml'), /^ {2}ALLOWED_HOSTS: manager,gateway,\$\{ALLOWED_HOSTS:-\}$/m);
});

test('.env.example names the settings that are the stack’s own, and no others', () => {
  const [, told = ''] =
    /These are its\n# own, whatever stands here: ([\s\S]*?)\. /.exec(readText('.env.example')) ?? [];
  const lines = readText('docker-compose.yml').matchAll(/^ {2,6}([A-Z_]+): (.*)$/gm);
  const own = [...lines]
    .filter(([, name = '', value = '']) => !value.includes(`\${${name}:`))
    .map(([, name = '']) => name)
    // What agents reach knows no admin token; the mount of a file that `.env` may name.
    .filter((name) => name !== 'ADMIN_TOKEN' && name !== 'REGISTRY_CONFIG');

  assert.equal((told.match(/[A-Z_]+/g) ?? []).sort(), [...new Set(own)].sort());
});

test.run();
