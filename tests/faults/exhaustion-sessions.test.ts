/** Sessions that nobody uses: as many as there may be, and gone soon, while an agent that was there is served. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, postAnew } from '../support/mcp-client.ts';
import { descriptorsOf, residentBytesOf } from '../support/process-use.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { startServedAgent } from '../support/served-agent.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('exhaustion: sessions');
const freeWithinMs = 20_000;
/** Of a heap that grew and is kept by the process. */
const mostMoreBytes = 200 * 1024 * 1024;
const most = 1_000;
const unusedSeconds = 10;
let service: RunningService;

test.before(async () => {
  service = await runService({
    configs: configFiles(faultConfig('steady')),
    groups: { 'svc-global': { name: 'svc-global', included_tools: ['steady__echo'] } },
    env: { MAX_SESSIONS: String(most), UNUSED_SESSION_SECONDS: String(unusedSeconds) },
  });
  await waitUntil('the server is listed', async () => (await toolsOf(service, 'steady')).length > 0);
});

test.after(() => service?.remove());

test('5,000 sessions that nobody uses', async () => {
  const agent = await startServedAgent(service, 'steady__echo');
  const [descriptors, bytes] = [descriptorsOf(service.pid()), residentBytesOf(service.pid())];

  const held = watchMost(sessionsHeld);
  const answers = await initializeMany(5_000);
  const refused = answers.filter(({ status }) => status === 429);

  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  // Between two counts a process goes by what it added itself.
  assert.ok(held.stop() <= most * 1.05, `${held.stop()} at once`);
  assert.match(refused[0]?.head ?? '', /^retry-after: \d+$/im);
  assert.is(JSON.parse(refused[0]?.body ?? '').error.data.code, 'too_many_requests');
  await waitUntil('none is left but the one in use', async () => (await sessionsHeld()) <= 1, {
    limitMs: unusedSeconds * 1000 + freeWithinMs,
    everyMs: 250,
  });
  await waitUntil('there is room again', () => openSession(service.groupUrl()), { everyMs: 250 });
  // The embedded database keeps files of its own open that it met meanwhile.
  await waitUntil('descriptors are free', () => descriptorsOf(service.pid()) <= descriptors + 50, {
    limitMs: freeWithinMs,
  });
  assert.ok(residentBytesOf(service.pid()) < bytes + mostMoreBytes);
  await agent.assertServed();
});

/** Looks again and again; `stop` tells the most that was seen. */
function watchMost(look: () => Promise<number>): { stop(): number } {
  let [most, isStopped] = [0, false];
  void (async () => {
    while (!isStopped) {
      most = Math.max(most, await look().catch(() => 0));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    stop() {
      isStopped = true;
      return most;
    },
  };
}

async function initializeMany(count: number): Promise<RawAnswer[]> {
  const clientInfo = { name: 'many', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const answers: RawAnswer[] = [];
  let left = count;
  const lane = async () => {
    for (; left > 0; ) {
      left -= 1;
      const message = { jsonrpc: '2.0', id: left, method: 'initialize', params };
      answers.push(await postAnew(service.groupUrl(), message));
    }
  };
  await Promise.all(Array.from({ length: 50 }, lane));
  return answers;
}

/** By this process; it hears of the end of each row. */
async function sessionsHeld(): Promise<number> {
  const text = await (await fetch(`${service.gatewayUrl}/metrics`)).text();
  return Number(/^svc_mcp_sessions_cached (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

test.run();
