/** The fields of a server's file, as docs/containers.md and docs/servers.md tell them: all of them, with their defaults. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { defaultLimits, defaultTimeouts } from '../../../lib/config/server-config.ts';
import { ServerConfigDocument } from '../../../lib/config/server-config-document.ts';
import { createSchemaWriter } from '../../../lib/json/json-schema.ts';
import { longestServerName } from '../../../lib/names/names.ts';
import { parseProvisionRequest } from '../../../lib/registry/provisioning/provision-request.ts';
import { tableBelow } from '../../support/markdown-tables.ts';
import { readText } from '../../support/source-files.ts';

const test = suite('documented fields of a server');

const ofContainers = tableBelow(readText('docs/containers.md'), '## What a config can say');
const ofServers = tableBelow(readText('docs/servers.md'), '## Server files');

/** A value for each field of a server in a container; `limits.memory_mb` is a field of `limits`. */
const samples: Readonly<Record<string, unknown>> = {
  image: 'acme/tool:1',
  pull: 'missing',
  entrypoint: ['tool'],
  args: ['--quiet'],
  env: { NAME: 'value' },
  transport: 'streamable_http',
  port: 8080,
  path: '/mcp',
  volumes: [{ path: '/data', source: 'mydata', read_only: true }],
  user: '1000:1000',
  network: 'none',
  read_only: true,
  shm_mb: 1024,
  capabilities: ['CHOWN'],
  'limits.memory_mb': 512,
  'limits.cpus': 0.5,
  'limits.pids': 100,
  'timeouts.start_ms': 60_000,
  'timeouts.idle_stop_seconds': 60,
  session_mode: 'stateful',
};

/** `limits.memory_mb`, `cpus` → `limits.memory_mb`, `limits.cpus`. */
function namesIn(cell = ''): string[] {
  const names = [...cell.matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => name);
  const [group, inside] = (names[0] ?? '').split('.');
  return inside === undefined ? names : names.map((name) => (name.includes('.') ? name : `${group}.${name}`));
}

function bodyWith(field: string, value: unknown): Record<string, unknown> {
  const [name = '', inside] = field.split('.');
  const given = inside === undefined ? value : { [inside]: value };
  const needed = field === 'path' ? { port: 8080 } : field === 'transport' ? { port: 8080 } : {};
  return { name: 'tool', image: 'acme/tool:1', ...needed, [name]: given };
}

type Properties = Readonly<Record<string, { readonly properties?: Properties }>>;

/** The fields of a config, those of `timeouts` and `limits` with a dot. */
function fieldsOfConfigs(): string[] {
  const writer = createSchemaWriter((name) => name);
  writer.write(ServerConfigDocument);
  const { properties } = writer.components().ServerConfig as { readonly properties: Properties };
  return Object.entries(properties).flatMap(([name, { properties: inside }]) =>
    inside === undefined ? [name] : Object.keys(inside).map((each) => `${name}.${each}`),
  );
}

function toldByServers(): string[] {
  return ofServers.flatMap(([cell = '', meaning = '']) => {
    const names = namesIn(cell);
    const isGroup = names[0] === 'timeouts' || names[0] === 'limits';
    return isGroup
      ? [...meaning.matchAll(/`([a-z_]+)` \(/g)].map(([, name]) => `${names[0]}.${name}`)
      : names;
  });
}

test('each field of a container is one of a file and of a provision', () => {
  const told = ofContainers.flatMap(([cell]) => namesIn(cell)).filter((name) => name !== 'command');

  assert.equal([...told].sort(), Object.keys(samples).sort());
  for (const [field, value] of Object.entries(samples)) {
    const { args, env, ...body } = bodyWith(field, value);
    parseServerConfig({ ...body, ...(args ? { args } : {}), ...(env ? { env } : {}) });
    parseProvisionRequest(
      { ...body, ...(args ? { command: args } : {}), ...(env ? { env_vars: env } : {}) },
      [],
    );
  }
});

test('the two documents name every field of a file', () => {
  const told = new Set([...ofContainers.flatMap(([cell]) => namesIn(cell)), ...toldByServers()]);

  assert.equal([...told].sort(), fieldsOfConfigs().sort());
});

test('the defaults of a container are those that the table tells', () => {
  const { pull, network, readOnly, sessionMode, limits, timeouts } = parseServerConfig(
    bodyWith('user', 'me'),
  );
  const defaults = new Map(ofContainers.map(([cell = '', told = '']) => [namesIn(cell)[0], told]));

  assert.is(defaults.get('pull'), `\`${pull}\``);
  assert.is(defaults.get('network'), `\`${network}\``);
  assert.is(defaults.get('read_only'), `\`${readOnly}\``);
  assert.is(defaults.get('session_mode'), `\`${sessionMode}\``);
  assert.is(defaults.get('limits.memory_mb'), `${limits.memoryMb}, ${limits.cpus}, ${limits.pids}`);
  assert.is(defaults.get('timeouts.start_ms'), `${timeouts.startMs}`);
  assert.is(defaults.get('timeouts.idle_stop_seconds'), `${timeouts.idleStopSeconds}: never`);
});

test('the defaults of all servers are those that their table tells', () => {
  const bounds = ofServers.map((cells) => cells.join(' ')).join('\n');
  const { startMs, callCapMs, idleStopSeconds } = defaultTimeouts;
  const { calls, queue, lineBytes, responseBytes, sessions } = defaultLimits;
  const told = {
    start_ms: startMs,
    call_cap_ms: callCapMs,
    idle_stop_seconds: idleStopSeconds,
    calls,
    queue,
  };

  for (const [name, value] of Object.entries({
    ...told,
    line_bytes: lineBytes,
    response_bytes: responseBytes,
    sessions,
  }))
    assert.match(bounds, new RegExp(`\`${name}\` \\(${value}[,)]`), name);
  assert.match(bounds, `at most ${longestServerName} characters`);
});

test.run();
