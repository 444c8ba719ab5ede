/** What the JSON in a document is for, tried: agents' configurations, group files, parts of server configs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../lib/config/parse-server-config.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { FreshClone } from './fresh-clone.ts';

type Json = Readonly<Record<string, unknown>>;

export async function tryJson(clone: FreshClone, text: string): Promise<void> {
  // A part of a file stands there without the braces around it.
  const document: Json = JSON.parse(clone.withPorts(/^\s*\{/.test(text) ? text : `{${text}}`));
  if (document.mcpServers ?? document.servers) return tryAgent(clone, document);
  if (document.included_tools) return tryGroup(clone, document);
  if (document.volumes) return void parseServerConfig({ name: 'x', image: 'a/b:1', ...document });
  if (document.name && (document.command ?? document.url ?? document.image))
    return void parseServerConfig(document);
  throw new Error(`No test knows what this JSON is for: say so in tests/readme/json-blocks.ts.\n${text}`);
}

/** It is what the command line prints for an agent, and the official client connects to the address in it. */
async function tryAgent(clone: FreshClone, document: Json): Promise<void> {
  const printed: unknown[] = [];
  for (const agent of ['claude', 'cursor', 'vscode', 'windsurf']) {
    const { stdout } = await clone.run(`npx svc-mcp client ${agent} --json`);
    printed.push(JSON.parse(JSON.parse(stdout).configuration));
  }
  const isPrinted = printed.some((one) => JSON.stringify(one) === JSON.stringify(document));
  assert.ok(isPrinted, `\`svc-mcp client\` prints another one:\n${JSON.stringify(printed, undefined, 2)}`);
  const addresses = JSON.stringify(document).match(/http:[^"\\]+/g) ?? [];
  assert.ok(addresses.length > 0, 'it names no address');
  for (const address of addresses) await assertServesTools(address);
}

export async function assertServesTools(address: string): Promise<void> {
  const client = new Client({ name: 'readme', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  try {
    const { tools } = await client.listTools();
    assert.ok(tools.length > 0, `${address} has no tools`);
  } finally {
    await client.close();
  }
}

async function tryGroup(clone: FreshClone, document: Json): Promise<void> {
  const name = String(document.name);
  writeFileSync(join(clone.dir, 'groups', `${name}.json`), JSON.stringify(document));
  const isServed = async () => (await fetch(`${clone.managerUrl}/api/groups/${name}`)).ok;
  await waitUntil(`the group ${name} is served`, isServed);
  const current: Json = await (await fetch(`${clone.managerUrl}/api/current?group=${name}`)).json();
  assert.is(current.problem, undefined);
  assert.equal(current.tools, document.included_tools);
  await assertServesTools(`${clone.gatewayUrl}/v0/groups/${name}/mcp`);
}
