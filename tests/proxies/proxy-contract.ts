/** What agents may expect of three gateways behind a proxy with its file of `deploy/proxies/`. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Fixture, fixtureTools, startFixture } from '../conformance/fixture.ts';
import { openKit } from '../conformance/kit.ts';
import { describeConformance } from '../conformance/suite-contract.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { sendRaw } from '../support/raw-http.ts';
import { configFiles } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Agents, notAnswered, startAgents, summary } from './agents.ts';
import { type CountingServer, countingTools, startCountingServer } from './counting-server.ts';
import { assertCostOf, killInTurn } from './kills.ts';
import { findProxy, type ProxyName } from './programs.ts';
import { type ProxiedGateways, startProxiedGateways } from './proxied-gateways.ts';

const agentCount = 16;

export async function describeProxy(test: ReturnType<typeof suite>, name: ProxyName): Promise<void> {
  const program = await findProxy(name);
  const database = program && (await createTestDatabase(`proxies_${name}`));
  const kit = database === undefined ? undefined : await openKit();
  const behindProxy = database === undefined ? test.skip : test;
  let fixture: Fixture | undefined;
  let counting: CountingServer;
  let replicas: ProxiedGateways;

  test.before(async () => {
    if (program === undefined || database === undefined) return;
    fixture = kit && (await startFixture(kit.fixturePath));
    counting = await startCountingServer();
    const group = { name: 'svc-global', description: '', included_tools: [], included_servers: ['counting'] };
    replicas = await startProxiedGateways({
      ...{ name, program, database },
      configs: { ...fixture?.files.configs, ...configFiles(counting.config) },
      groups: { ...fixture?.files.groups, 'svc-global': group },
    });
    for (const server of fixture === undefined ? [] : ['stdio', 'http'])
      await fixtureTools(replicas.manager, server);
    const isListed = async () =>
      (await toolsOf(replicas.manager, 'counting')).length === countingTools.length;
    await waitUntil('the counting server is listed', isListed, { limitMs: 20_000 });
  });

  test.after(async () => {
    await replicas?.remove();
    await counting?.close();
    fixture?.stop();
    // Closed clients go on with what they had planned: two further attempts for each stream that broke.
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await waitUntil('the clients have given up', () => timers() === 0, { limitMs: 30_000 });
  });

  describeConformance(test, kit, (server) => ({ url: replicas.groupUrl(server), server }));

  behindProxy('each gateway has its share', async () => {
    const calls = await Promise.all(
      replicas.gateways.map(async ({ gatewayUrl }) => {
        const metrics = await (await fetch(`${gatewayUrl}/metrics`)).text();
        return [...metrics.matchAll(/^svc_mcp_calls_total\{.*\} (\d+)$/gm)].length;
      }),
    );
    if (kit !== undefined) assert.ok(Math.min(...calls) > 0, calls.join(', '));
  });

  behindProxy(
    'the name by which it was called reaches the gateways, which refuse those that are not theirs',
    async () => {
      const port = Number(new URL(replicas.proxy.url).port);
      const ask = (host: string) =>
        sendRaw(port, Buffer.from(`GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`));

      assert.match((await ask('stranger.example')).body, 'host_not_allowed');
      assert.not.match((await ask('localhost')).body, 'host_not_allowed');
    },
  );

  behindProxy('a body of 4 MiB passes, and a larger one is 413', async () => {
    const { request, id } = await openSession(replicas.groupUrl());
    const message = 'x'.repeat(4_000_000);
    const large = await request('tools/call', { name: 'counting__fast', arguments: { id: message } });
    const headers = { 'content-type': 'application/json', 'mcp-session-id': id };
    const body = 'x'.repeat(4_300_000);
    const refused = await fetch(replicas.groupUrl(), { method: 'POST', headers, body });
    await refused.arrayBuffer();

    assert.is(large.body?.result?.content[0].text.length, message.length, large.text.slice(0, 200));
    assert.is(refused.status, 413);
  });

  behindProxy('a reload of the proxy loses no session, and no call that it has taken', async () => {
    const agents = await startAgents({ url: replicas.groupUrl(), count: agentCount, tools: countingTools });
    try {
      await untilCalls(agents, 200);
      const canReload = replicas.proxy.reload();
      await untilCalls(agents, agents.calls.length + 400);
      await agents.stop();

      if (!canReload) console.log(`\n${name} takes up no changed file without a break: not tried`);
      assert.equal(notAnswered([...agents.calls, ...agents.lists]), []);
      assert.equal(await agents.lostSessions(), []);
    } finally {
      await agents.close();
    }
  });

  behindProxy('gateways that are killed cost the calls that ran on them, and nothing else', async () => {
    const agents = await startAgents({ url: replicas.groupUrl(), count: agentCount, tools: countingTools });
    try {
      await untilCalls(agents, 200);
      const kills = await killInTurn(replicas.gateways);
      await agents.stop();

      console.log(
        `\n${name}: ${kills.length} kills, ${summary(agents.calls)}; lists: ${summary(agents.lists)}`,
      );
      assertCostOf(kills, agents, counting.runs);
      assert.equal(await agents.lostSessions(), []);
    } finally {
      await agents.close();
    }
  });
}

function untilCalls({ calls }: Agents, count: number): Promise<true> {
  return waitUntil(`${count} calls are made`, () => calls.length >= count, { limitMs: 60_000 });
}
