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
import type { RunningService } from '../support/run-service.ts';
import { configFiles } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Agents, type Call, notAnswered, startAgents, summary } from './agents.ts';
import { type CountingServer, countingTools, startCountingServer } from './counting-server.ts';
import { findProxy, type ProxyName } from './programs.ts';
import { type ProxiedGateways, startProxiedGateways } from './proxied-gateways.ts';

const agentCount = 16;
const killEveryMs = 2_000;
const killingMs = 60_000;
/** The longest that a call is under way when nothing is wrong: 300 ms at its server, and a busy machine. */
const underWayMs = 2_000;
/** Until a proxy, on a busy machine, has read that the connections which it keeps are gone. */
const lettingGoMs = 500;

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

  behindProxy(
    'gateways that are killed under 16 agents cost the calls that ran on them, and nothing else',
    async () => {
      const agents = await startAgents({ url: replicas.groupUrl(), count: agentCount, tools: countingTools });
      try {
        await untilCalls(agents, 200);
        const kills = await killInTurn(replicas);
        await agents.stop();

        const { calls, lists } = agents;
        const failures = [...calls, ...lists].filter(({ outcome }) => outcome === 'failed');
        console.log(`\n${name}: ${kills.length} kills, ${summary(calls)}; lists: ${summary(lists)}`);
        console.log(reasons(failures));
        const isOfKill = ({ begunAt, endedAt }: Call) =>
          kills.some(({ at, goneAt }) => begunAt < goneAt && at < Math.min(endedAt, begunAt + underWayMs));
        assert.equal(notAnswered(failures.filter((call) => !isOfKill(call))), [], 'failed without a kill');
        assert.equal(notAnswered([...calls, ...lists].filter(({ outcome }) => outcome === 'wrong')), []);
        assert.equal(
          calls.filter(({ id }) => counting.runs(id) > 1).map(({ id }) => id),
          [],
          'ran twice',
        );
        assert.equal(
          calls.filter(({ outcome, id }) => outcome === 'answered' && counting.runs(id) !== 1),
          [],
          'did not run',
        );
        assert.ok(failures.length <= kills.length * agentCount, `${failures.length} failures`);
        assert.equal(await agents.lostSessions(), []);
      } finally {
        await agents.close();
      }
    },
  );
}

interface Kill {
  /** Milliseconds, `performance.now()`: the signal, and when the system had let go of the process. */
  readonly at: number;
  readonly goneAt: number;
}

/** A gateway every two seconds, or when the others are ready, one after the other, each started again at once. */
async function killInTurn({ gateways }: ProxiedGateways): Promise<Kill[]> {
  const kills: Kill[] = [];
  const begunAt = performance.now();
  while (performance.now() - begunAt < killingMs) {
    await new Promise((resolve) => setTimeout(resolve, killEveryMs));
    const gateway = gateways[kills.length % gateways.length];
    // However long a start takes on this machine, two of them are left.
    await Promise.all(gateways.map((other) => other === gateway || untilReady(other)));
    const at = performance.now();
    await gateway?.kill9();
    kills.push({ at, goneAt: performance.now() + lettingGoMs });
    await gateway?.restart();
  }
  return kills;
}

function untilReady({ gatewayUrl }: RunningService): Promise<true> {
  const isReady = async () => (await fetch(`${gatewayUrl}/readyz`)).ok;
  return waitUntil('a gateway is ready', isReady, { limitMs: 60_000 });
}

function untilCalls({ calls }: Agents, count: number): Promise<true> {
  return waitUntil(`${count} calls are made`, () => calls.length >= count, { limitMs: 60_000 });
}

/** How often which one. */
function reasons(failures: readonly Call[]): string {
  const counts = new Map<string, number>();
  for (const { text } of failures) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(([text, count]) => `  ${count} × ${text.replace(/\s+/g, ' ').slice(0, 160)}`)
    .join('\n');
}
