/** Show 5, the API's part: tools of real servers are tried before agents have them, by those who may. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { manage } from '../support/manager-api.ts';
import { postJson } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('trying tools');
const groups = { 'svc-global': { name: 'svc-global', included_tools: [] } };
const folder = mkdtempSync(join(tmpdir(), 'svc-try-'));
const journal = join(folder, 'journal.jsonl');
let service: RunningService;

test.before(async () => {
  service = await runService({
    groups,
    configs: configFiles(
      everythingConfig(),
      faultConfig('fault', ['--journal', journal]),
      faultConfig('brief', [], { timeouts: { call_ms: 300 } }),
      faultConfig('apart', [], { session_mode: 'stateful', limits: { sessions: 1 } }),
    ),
  });
});
test.after(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const tried = (tool: string, body: object = {}, headers = {}) =>
  postJson(`${service.managerUrl}/api/tools/${tool}/try`, body, headers);
const listed = async (tool: string) =>
  await waitUntil(`${tool} is listed`, async () => {
    const tools = await (await fetch(`${service.gatewayUrl}/api/v0/tools`)).json();
    return tools.some(({ name }: { name: string }) => name === tool);
  });
const journalLines = () =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

test('a tool that no agent has answers, and the records say that no agent called it', async () => {
  await listed('everything__get-sum');

  const { status, body } = await tried('everything__get-sum', { arguments: { a: 17, b: 25 } });

  assert.is(status, 200);
  assert.equal([body.success, body.tried, body.enabled], [true, true, false]);
  assert.match(body.result.content[0].text, '42');
  const { server: record } = await manage(service, 'GET', '/api/servers/everything');
  assert.equal([record.calls, record.errors], [0, 0]);
  assert.equal(
    record.recent_calls.map(({ tool, outcome, tried }: Record<string, unknown>) => [tool, outcome, tried]),
    [['get-sum', 'ok', true]],
  );
  const metrics = await (await fetch(`${service.managerUrl}/metrics`)).text();
  assert.match(metrics, 'svc_mcp_tries_total{server="everything",outcome="ok"} 1');
  assert.not.match(metrics, 'svc_mcp_calls_total{server="everything"');
  const { tools } = await manage(service, 'GET', '/api/groups/svc-global/tools');
  assert.equal(tools, []);
});

test('a call of an agent is still counted as one', async () => {
  await manage(service, 'POST', '/api/tools/enable', { tool: 'fault__pid' });
  assert.is((await service.cli(['call', 'fault__pid'])).code, 0);

  const { server } = await manage(service, 'GET', '/api/servers/fault');
  const { calls, recent_calls } = server;
  assert.equal([calls, recent_calls[0].tried], [1, undefined]);
});

test('it takes no longer than the server may', async () => {
  await listed('brief__hang');

  const { status, body } = await tried('brief__hang');

  assert.equal([status, body.code], [504, 'upstream_timeout']);
});

test('who hangs up cancels the call at the server', async () => {
  const leaving = new AbortController();
  const call = fetch(`${service.managerUrl}/api/tools/fault__hang/try`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
    signal: leaving.signal,
  });
  call.catch(() => {});
  const { id } = await waitUntil('the server has the call', () =>
    journalLines().find(({ method, params }) => method === 'tools/call' && params.name === 'hang'),
  );

  leaving.abort();

  await waitUntil('it is told', () =>
    journalLines().some(
      ({ method, params }) => method === 'notifications/cancelled' && params.requestId === id,
    ),
  );
  await waitUntil('it is recorded as cancelled', async () => {
    const { server } = await manage(service, 'GET', '/api/servers/fault');
    return server.recent_calls.some(
      ({ tool, outcome, tried }: Record<string, unknown>) =>
        tool === 'hang' && outcome === 'cancelled' && tried,
    );
  });
});

test('what the server asks back is refused in words', async () => {
  for (const method of ['sampling/createMessage', 'elicitation/create']) {
    const { body } = await tried('fault__ask', { arguments: { method, params: {} } });
    const answer = JSON.parse(body.result.content[0].text);
    assert.match(answer.error.message, /This call is a try|nobody can tell which client/, method);
  }
});

test('with a connection per session it has one of its own, which is closed after it', async () => {
  await listed('apart__pid');

  const first = await tried('apart__pid');
  const second = await tried('apart__pid');

  assert.equal([first.status, second.status], [200, 200], `${first.text} ${second.text}`);
  assert.is.not(first.body.result.content[0].text, second.body.result.content[0].text);
});

test('a page of another origin can try nothing', async () => {
  const calls = () => journalLines().filter(({ method }) => method === 'tools/call').length;
  const before = calls();

  for (const headers of [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    assert.is((await tried('fault__pid', {}, headers)).status, 403, JSON.stringify(headers));
  }
  for (const type of ['text/plain', 'text/plain; application/json', 'application/x-www-form-urlencoded']) {
    assert.is((await tried('fault__pid', {}, { 'content-type': type })).status, 415, type);
  }
  const bare = await fetch(`${service.managerUrl}/api/tools/fault__pid/try`, { method: 'POST' });
  assert.is(bare.status, 415);
  assert.is(calls(), before);
});

test('the command line tries as well, with every digit of large numbers', async () => {
  const plain = await service.cli(['try', 'everything__echo', '{"message": "from a terminal"}']);
  const exact = await service.cli(['try', 'fault__big_numbers', '--json']);
  const unknown = await service.cli(['try', 'everything__ecko']);
  const wrong = await service.cli(['try', 'everything__echo', '[]']);

  assert.equal([plain.code, plain.stdout], [0, 'Echo: from a terminal\n'], plain.stderr);
  assert.match(exact.stdout, '12345678901234567890', exact.stderr);
  assert.is(unknown.code, 1);
  assert.match(unknown.stderr, /did you mean `everything__echo`/);
  assert.is(wrong.code, 2);
});

test.run();

for (const [what, env, status, code] of [
  ['beyond loopback without ADMIN_TOKEN', { HOST: '0.0.0.0', ALLOW_OPEN: '1' }, 403, 'try_needs_admin'],
  ['behind ADMIN_TOKEN, without it', { ADMIN_TOKEN: 'token-of-this-test' }, 401, 'unauthorized'],
] as const) {
  const rights = suite(`trying tools ${what}`);
  let guarded: RunningService;
  rights.before(async () => {
    guarded = await runService({ groups, env, configs: configFiles(faultConfig('fault')) });
  });
  rights.after(() => guarded?.remove());

  rights('is refused on the port, and allowed on the admin socket', async () => {
    const url = `${guarded.managerUrl}/api/tools/fault__pid/try`;
    const answer = await postJson(url, {});
    const bySocket = await waitUntil('its tools are listed', async () => {
      const result = await guarded.cli(['try', 'fault__pid']);
      return result.code === 0 && result;
    });

    assert.equal([answer.status, answer.body.code], [status, code]);
    assert.match(bySocket.stdout, /^\d+\n$/);
    if (!('ADMIN_TOKEN' in env)) return;
    const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
    assert.is((await postJson(url, {}, headers)).status, 200);
  });

  rights.run();
}
