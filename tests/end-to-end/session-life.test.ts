/** Sessions that live for two seconds without a use. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, postJson } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the life of a session');
let service: RunningService;

test.before(async () => {
  const group = { name: 'svc-global', description: '', included_tools: [], included_servers: ['fault'] };
  service = await runService({
    configs: configFiles(faultConfig('fault')),
    groups: { 'svc-global': group },
    env: { SESSION_TTL_SECONDS: '2' },
  });
  await waitUntil('its server is listed', async () => (await toolsOf(service, 'fault')).length > 0);
});
test.after(() => service?.remove());

function call(id: string, method: string, params = {}) {
  return postJson(service.groupUrl(), { jsonrpc: '2.0', id: 1, method, params }, { 'mcp-session-id': id });
}

test('ends after its time, but not while its client listens or waits for an answer', async () => {
  const open = async () => (await openSession(service.groupUrl())).id;
  const [idle, listening, waiting] = [await open(), await open(), await open()];
  const headers = { accept: 'text/event-stream', 'mcp-session-id': listening };
  // Held until the end: Node closes the stream of an answer that was collected as garbage.
  const stream = await fetch(service.groupUrl(), { headers });
  const answer = call(waiting, 'tools/call', { name: 'fault__slow', arguments: { ms: 5_000 } });

  await new Promise((resolve) => setTimeout(resolve, 5_000));

  assert.match(JSON.stringify((await answer).body), '"slow"');
  assert.is((await call(listening, 'ping')).status, 200);
  assert.is((await call(waiting, 'ping')).status, 200);
  assert.is((await call(idle, 'ping')).status, 404);
  await stream.body?.cancel();
  await waitUntil('its time is over', async () => {
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return (await call(listening, 'ping')).status === 404;
  });
});

test.run();
