/** Whoever is connected to a group hears within 1 s that its tools are others now, and nobody else hears of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { switchTool, toolsOf } from '../support/manager-api.ts';
import { type ConnectedClient, connectClient } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

interface Listener extends ConnectedClient {
  /** Times at which it was told. */
  readonly heardAt: number[];
}

const test = suite('notifications/tools/list_changed');
const limitMs = 1000;
let service: RunningService;
let red: Listener[];
let blue: Listener[];

test.before(async () => {
  const group = (name: string, more: object) => ({ name, included_tools: ['everything__echo'], ...more });
  service = await runService({
    configs: configFiles(everythingConfig(), faultConfig('changing')),
    groups: { red: group('red', { included_servers: ['changing'] }), blue: group('blue', {}) },
  });
  const isListed = async () =>
    (await toolsOf(service, 'everything')).length * (await toolsOf(service, 'changing')).length;
  await waitUntil('both servers are listed', isListed);
  red = await Promise.all([1, 2, 3].map(() => listen('red')));
  blue = await Promise.all([1, 2].map(() => listen('blue')));
  await waitUntil('all streams are open', async () => (await openStreams()) === 5);
});

test.after(async () => {
  for (const { close } of [...red, ...blue]) await close();
  await service?.remove();
});

async function listen(group: string): Promise<Listener> {
  const heardAt: number[] = [];
  const connected = await connectClient(service.groupUrl(group));
  connected.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heardAt.push(performance.now());
  });
  return { ...connected, heardAt };
}

async function openStreams(): Promise<number> {
  const metrics = await (await fetch(`${service.gatewayUrl}/metrics`)).text();
  return Number(/^svc_mcp_event_streams (\d+)/m.exec(metrics)?.[1]);
}

/** Does `change`, then waits until the others would have heard of it as well. */
async function heardAfter(change: () => unknown): Promise<{ red: number[]; blue: number[] }> {
  for (const { heardAt } of [...red, ...blue]) heardAt.length = 0;
  const changedAt = performance.now();
  await change();
  await new Promise((resolve) => setTimeout(resolve, limitMs + 200));
  const delays = (listeners: readonly Listener[]) => listeners.flatMap(({ heardAt: [at] }) => at ?? []);
  const afterMs = (times: readonly number[]) => times.map((time) => time - changedAt);
  return { red: afterMs(delays(red)), blue: afterMs(delays(blue)) };
}

function assertOnlyRedHeard(heard: { red: number[]; blue: number[] }): void {
  assert.is(heard.red.length, red.length);
  assert.ok(Math.max(...heard.red) < limitMs, `${heard.red} ms`);
  assert.equal(heard.blue, []);
}

async function listedBy(listener: Listener | undefined): Promise<string[]> {
  return (await listener?.client.listTools())?.tools.map(({ name }) => name) ?? [];
}

test('a toggle reaches every client of that group and no client of another', async () => {
  const heard = await heardAfter(() => switchTool(service, 'red', 'everything__get-sum', true));

  assertOnlyRedHeard(heard);
  assert.ok((await listedBy(red[0])).includes('everything__get-sum'));
});

test('a toggle that changes nothing is no news', async () => {
  const heard = await heardAfter(() => switchTool(service, 'red', 'everything__get-sum', true));

  assert.equal(heard, { red: [], blue: [] });
});

test('a file edited by hand does the same', async () => {
  const path = join(service.groupsDir, 'red.json');
  const group = JSON.parse(readFileSync(path, 'utf8'));

  const heard = await heardAfter(() =>
    writeFileSync(path, JSON.stringify({ ...group, included_tools: ['everything__get-tiny-image'] })),
  );

  assertOnlyRedHeard(heard);
  assert.ok((await listedBy(red[1])).includes('everything__get-tiny-image'));
});

test('a server that says that its tools changed does so for the groups that show them', async () => {
  const [first] = red;

  const heard = await heardAfter(() => first?.client.callTool({ name: 'changing__list_changed' }));

  assertOnlyRedHeard(heard);
  assert.ok((await listedBy(red[2])).includes('changing__new_0'));
});

test.run();
