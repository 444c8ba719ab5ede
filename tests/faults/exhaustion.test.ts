/**
 * Clients that use up what they can get: connections and descriptors. Agents that were there are served all the
 * while, and what was used up is free again soon after, though nobody gives it back.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf } from '../support/child-processes.ts';
import { manage, readServer, toolsOf } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { descriptorsOf, residentBytesOf } from '../support/process-use.ts';
import { type RunningService, type RunServiceOptions, runService } from '../support/run-service.ts';
import { listAnew, startServedAgent } from '../support/served-agent.ts';
import { testNode } from '../support/service-command.ts';
import { startStubbornClients } from '../support/stubborn-clients.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('exhaustion');
const freeWithinMs = 20_000;
/** The pause before a start doubles with each failure, up to 30 s. */
const startsAgainWithinMs = 40_000;
/** Of a heap that grew and is kept by the process. */
const mostMoreBytes = 200 * 1024 * 1024;
/** What a test began, ended in turn from the last. */
const begun: (() => unknown)[] = [];

test.after.each(async () => {
  for (const end of begun.splice(0).reverse()) await end();
});

async function start(options: RunServiceOptions = {}): Promise<RunningService> {
  const tools = ['steady__echo', 'dying__crash', 'dying__echo'];
  const service = await runService({
    configs: configFiles(faultConfig('steady'), faultConfig('dying')),
    groups: { 'svc-global': { name: 'svc-global', included_tools: tools } },
    ...options,
  });
  begun.push(service.remove);
  for (const server of ['steady', 'dying']) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(service, server)).length > 0);
  }
  return service;
}

const gatewayPort = ({ gatewayUrl }: RunningService) => Number(new URL(gatewayUrl).port);

test('3,000 clients with half a request, that never close', async () => {
  const service = await start();
  const agent = await startServedAgent(service, 'steady__echo');
  begun.push(agent.stop);
  const [descriptors, bytes] = [descriptorsOf(service.pid()), residentBytesOf(service.pid())];

  const clients = await startStubbornClients({
    port: gatewayPort(service),
    count: 3_000,
    text: 'POST /v0/groups/svc-global/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A',
  });
  begun.push(clients.stop);
  const during = agent.rounds();
  await waitUntil('descriptors are free', () => descriptorsOf(service.pid()) <= descriptors + 20, {
    limitMs: freeWithinMs,
  });

  assert.ok(agent.rounds() > during, 'the agent stood still');
  assert.ok(residentBytesOf(service.pid()) < bytes + mostMoreBytes);
  await agent.assertServed();
  clients.stop();
});

test('600 descriptors, 900 silent clients that come again and again, and a server that dies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-few-'));
  const node = join(folder, 'node');
  writeFileSync(node, `#!/bin/sh\nulimit -n 600\nexec '${testNode}' "$@"\n`);
  chmodSync(node, 0o755);
  const service = await start({ node });
  const agent = await startServedAgent(service, 'steady__echo');
  begun.push(agent.stop);
  const descriptors = descriptorsOf(service.pid());

  const clients = await startStubbornClients({
    port: gatewayPort(service),
    count: 900,
    text: '',
    again: true,
  });
  begun.push(clients.stop);
  for (let death = 0; death < 5; death += 1) {
    const { body } = await agent.session.request('tools/call', { name: 'dying__crash' });
    assert.is(body.result.isError, true);
    const isBack = async () => {
      const answer = await agent.session.request('tools/call', { name: 'dying__echo' });
      return answer.body?.result?.isError !== true;
    };
    await waitUntil('it is back', isBack, { limitMs: startsAgainWithinMs });
    assert.ok(descriptorsOf(service.pid()) < 600);
  }
  await agent.assertServed();
  clients.stop();

  assert.ok(service.isRunning(), service.output());
  await waitUntil('descriptors are free', () => descriptorsOf(service.pid()) <= descriptors + 20, {
    limitMs: freeWithinMs,
  });
  rmSync(folder, { recursive: true });
});

const triesWithout = canSetLimits() ? test : test.skip;
triesWithout(
  'no descriptor left at all, for whatever reason: what needs one fails, and later works again',
  async () => {
    const limit = (service: RunningService, soft: string) =>
      execFileSync('prlimit', ['--pid', String(service.pid()), `--nofile=${soft}:`]);
    const service = await start();
    const session = await openSession(service.groupUrl());
    const before = await session.request('tools/list');
    const allowed =
      /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${service.pid()}/limits`, 'utf8'))?.[1] ?? '';
    const toggle = (enabled: boolean) =>
      manage(service, 'POST', '/api/tools/toggle', { tool: 'dying__echo', enabled }).catch(() => undefined);
    await toggle(true);
    const [child] = childrenOf(service.pid(), 'fault-server');

    limit(service, '3');
    if (child !== undefined) process.kill(child, 'SIGKILL');
    const fresh = await Promise.all(Array.from({ length: 20 }, () => listAnew(service, session)));
    const listed = await session.request('tools/list');
    const called = await session.request('tools/call', { name: 'steady__echo' });
    const crashed = await session.request('tools/call', { name: 'dying__echo' });
    const toggled = await toggle(false);
    limit(service, allowed);

    assert.ok(fresh.every((text) => text.startsWith('no answer')));
    assert.is(listed.text.length, before.text.length);
    assert.is([called, crashed].filter(({ body }) => body.result.isError === true).length, 1);
    assert.is(toggled, undefined);
    assert.ok(service.isRunning(), service.output());
    for (const name of ['steady__echo', 'dying__echo']) {
      const isServed = async () => {
        const { body } = await session.request('tools/call', { name });
        return body?.result !== undefined && body.result.isError !== true;
      };
      await waitUntil(`${name} works`, isServed, { limitMs: startsAgainWithinMs });
    }
    assert.is((await toggle(false))?.success, true);
    await waitUntil('the group is what was written', async () => {
      const { body } = await session.request('tools/list');
      return body.result.tools.length === 2;
    });
    assert.is((await readServer(service, 'dying')).status, 'connected');
  },
);

/** `prlimit` of util-linux changes what a running process may have; says so in a line where it is not there. */
function canSetLimits(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.error('no descriptor left at all: skipped, there is no `prlimit`');
    return false;
  }
}

test.run();
