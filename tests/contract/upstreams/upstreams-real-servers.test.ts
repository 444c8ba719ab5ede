import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerConfig } from '../../../lib/config/server-config.ts';
import { sharedCapabilities } from '../../../lib/upstreams/connection/handshake.ts';
import type { Candidate } from '../../../lib/upstreams/upstreams.ts';
import { createUpstreamFixture, killAndWait, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('the official servers');

const fixture = createUpstreamFixture();
const { upstreams, call, callText } = fixture;
const folder = mkdtempSync(join(tmpdir(), 'upstreams-real-'));
const children: ChildProcess[] = [];

test.before(async () => {
  writeFileSync(join(folder, 'note.txt'), 'hello');
  direct = await askDirectly();
});
test.after(async () => {
  await fixture.close();
  await Promise.all(children.map(killAndWait));
  rmSync(folder, { recursive: true });
});

function script(name: string): string {
  return fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));
}

function stdioConfig(name: string, ...args: string[]): ServerConfig {
  return serverConfig({ name, command: process.execPath, args: [script(name), ...args] });
}

async function prepareAndCommit(config: ServerConfig): Promise<Candidate> {
  const candidate = await upstreams.prepare(config);
  await candidate.commit();
  return candidate;
}

/** Answers of everything as a direct connection of the SDK's client gets them, unknown fields included. */
async function askDirectly(): Promise<{ tools: unknown; structured: unknown }> {
  const { command = '', args } = stdioConfig('everything');
  const client = new Client({ name: 'test', version: '1' }, { capabilities: JSON.parse(sharedCapabilities) });
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }));
  const { tools } = await client.request({ method: 'tools/list', params: {} }, ResultSchema);
  const structured = await client.request({ method: 'tools/call', params: structuredCall }, ResultSchema);
  await client.close();
  return { tools, structured };
}

const structuredCall = { name: 'get-structured-content', arguments: { location: 'New York' } };
let direct: Awaited<ReturnType<typeof askDirectly>>;

async function startEverything(mode: string): Promise<number> {
  const port = await freePort();
  const child = spawn(process.execPath, [script('everything'), mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer) => chunk.includes(String(port)) && resolve();
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', () => reject(new Error('everything did not start')));
  });
  return port;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

test('everything over stdio lists the same definitions as a direct connection', async () => {
  const { tools } = await prepareAndCommit(stdioConfig('everything'));

  assert.equal(
    tools.map(({ definition }) => JSON.parse(definition)),
    direct.tools,
  );
});

test('everything answers a structured call as it does directly', async () => {
  const relayed = await call('everything', structuredCall.name, structuredCall.arguments);

  assert.equal('result' in relayed && JSON.parse(relayed.result), direct.structured);
});

test('filesystem reads a file and refuses one outside its folder as an answer of its own', async () => {
  await prepareAndCommit(stdioConfig('filesystem', folder));

  assert.is(await callText('filesystem', 'read_text_file', { path: join(folder, 'note.txt') }), 'hello');
  const refused = await call('filesystem', 'read_text_file', { path: '/etc/hostname' });
  assert.is('result' in refused && JSON.parse(refused.result).isError, true);
});

test('memory keeps what it was given from call to call', async () => {
  const config = stdioConfig('memory');
  await prepareAndCommit({ ...config, env: { MEMORY_FILE_PATH: join(folder, 'memory.json') } });
  const entities = [{ name: 'gateway', entityType: 'program', observations: ['relays'] }];

  await call('memory', 'create_entities', { entities });

  assert.match(await callText('memory', 'read_graph'), 'gateway');
});

for (const [mode, transport, path] of [
  ['streamableHttp', 'streamable_http', '/mcp'],
  ['sse', 'sse', '/sse'],
] as const) {
  test(`everything over ${transport} lists the same tools, relays calls and progress`, async () => {
    const port = await startEverything(mode);
    const url = `http://127.0.0.1:${port}${path}`;
    const { tools } = await prepareAndCommit(serverConfig({ name: mode, transport, url }));
    assert.equal(
      tools.map(({ definition }) => JSON.parse(definition)),
      direct.tools,
    );

    const seen: number[] = [];
    const onProgress = (message: string) => seen.push(JSON.parse(message).params.progress);
    await call(mode, 'trigger-long-running-operation', { duration: 0.2, steps: 4 }, { onProgress });

    assert.equal(seen, [1, 2, 3, 4]);
    assert.is(await callText(mode, 'echo', { message: 'grüße' }), 'Echo: grüße');
  });
}

test.run();
