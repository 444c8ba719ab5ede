/** What a start refuses and says, what it gives its children, and how it ends. */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf, isAlive } from '../support/child-processes.ts';
import { freePort } from '../support/free-port.ts';
import { manage, readServer, toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('start and stop');
/** Longer than the calls under way; callers without a pause are served as long. */
const shutdownSeconds = 5;
const canary = 'canary-4d1f7c';
const secret = 'secret-9b2e61';
const inherited =
  /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|USER|LOGNAME|SHELL|TERM|SVC_MCP_OWNER|SVC_MCP_OWNER_PROCESS)$/;
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  service = await runService({
    env: {
      CANARY: canary,
      ADMIN_CANARY_TOKEN: canary,
      NEEDED_KEY: canary,
      SHUTDOWN_SECONDS: String(shutdownSeconds),
    },
    configs: configFiles(
      everythingConfig(),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in a registration config
      everythingConfig('needy', { env: { API_KEY: '${NEEDED_KEY}' } }),
    ),
    groups: {
      'svc-global': { name: 'svc-global', included_tools: [], included_servers: ['everything', 'needy'] },
    },
  });
  await waitUntil('the server is listed', async () => (await toolsOf(service, 'everything')).length > 0);
  session = await openSession(service.groupUrl());
});

test.after(() => service?.remove());

async function environmentOf(server: string): Promise<Record<string, string>> {
  const { body } = await session.request('tools/call', { name: `${server}__get-env` });
  return JSON.parse(body.result.content[0].text);
}

/** Starts a service that cannot start, and tells how that went. */
async function failedStart(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const failing = await runService({ env, readyMs: 0 });
  try {
    await waitUntil('it has ended', () => !failing.isRunning());
    return { code: await failing.stop(), output: failing.output() };
  } finally {
    await failing.remove();
  }
}

test('a child’s environment holds what programs need and nothing of ours', async () => {
  const environment = await environmentOf('everything');

  assert.not.match(JSON.stringify(environment), canary);
  assert.equal(
    Object.keys(environment).filter((name) => !inherited.test(name)),
    [],
  );
  assert.ok(environment.PATH);
});

test('a missing variable keeps only that server down, and names it', async () => {
  const needy = await waitUntil('its start is over', async () => {
    const record = await readServer(service, 'needy');
    return record.status !== 'connecting' && record;
  });
  const { body } = await session.request('tools/call', {
    name: 'everything__echo',
    arguments: { message: 'up' },
  });
  const status = await manage(service, 'GET', '/api/servers/secrets-status');

  assert.is(needy.status, 'failed');
  assert.equal(needy.missing_variables, ['NEEDED_KEY']);
  assert.match(needy.last_error, 'NEEDED_KEY');
  assert.is(body.result.content[0].text, 'Echo: up');
  assert.equal(status.servers.needy, { missing: ['NEEDED_KEY'] });
});

test('once the variable has a value, a restart of that server brings it up', async () => {
  appendFileSync(join(service.dataDir, 'secrets.env'), `NEEDED_KEY=${secret}\n`, { mode: 0o600 });

  const answer = await manage(service, 'POST', '/api/servers/needy/restart');
  const environment = await environmentOf('needy');
  const shown = JSON.stringify([answer, await manage(service, 'GET', '/api/servers/needy')]);

  assert.is(answer.status, 'connected');
  assert.ok(answer.tool_count > 10);
  assert.is(environment.API_KEY, secret);
  assert.not.match(shown, secret);
  assert.not.match(service.output(), secret);
  assert.is((await readServer(service, 'needy')).missing_variables, undefined);
});

test('ports that everybody reaches are not opened without tokens', async () => {
  const { code, output } = await failedStart({ HOST: '0.0.0.0', ADMIN_TOKEN: secret });

  assert.is(code, 1);
  assert.match(output, /^Cannot start\. GATEWAY_TOKEN: must be set because HOST is not loopback/m);
  assert.not.match(output, /listening|secret-/);
});

test('a second process on the same DATA_DIR is refused in one clear line', async () => {
  const { code, output } = await failedStart({ DATA_DIR: service.dataDir });

  assert.is(code, 1);
  assert.is(output.trimEnd().split('\n').length, 1, output);
  assert.match(output, `is in use by process ${service.pid()}`);
  assert.match(output, 'DATA_DIR');
  assert.is((await session.request('ping')).status, 200);
});

test('a taken port ends the start with one line that names the setting', async () => {
  const port = await freePort();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
  try {
    for (const setting of ['MANAGER_PORT', 'GATEWAY_PORT']) {
      const { code, output } = await failedStart({ [setting]: String(port) });

      assert.is(code, 1);
      assert.is(output.trimEnd().split('\n').length, 1, output);
      assert.match(output, setting);
      assert.match(output, String(port));
    }
  } finally {
    squatter.close();
  }
});

test('SIGTERM under load: calls under way finish, others are served, it exits 0, and no child is left', async () => {
  const children = childrenOf(service.pid(), 'server-everything');
  const call = { name: 'everything__trigger-long-running-operation', arguments: { duration: 3, steps: 1 } };
  const underWay = Array.from({ length: 10 }, () => session.request('tools/call', call));
  const calls = Array.from({ length: 8 }, callUntilRefused);
  await new Promise((resolve) => setTimeout(resolve, 500));

  const startedAt = performance.now();
  const code = await service.stop();
  const tookMs = performance.now() - startedAt;
  const answers = await Promise.all(underWay);
  const served = await Promise.all(calls);

  assert.is(code, 0);
  assert.ok(tookMs < (shutdownSeconds + 5) * 1000, `${tookMs} ms`);
  assert.ok(tookMs > 1000, 'the calls were still under way');
  for (const { body } of answers)
    assert.match(body.result.content[0].text, 'Long running operation completed');
  assert.ok(
    served.every((count) => count > 0),
    `${served}`,
  );
  assert.ok(children.length === 2 && !children.some(isAlive));
});

/** Calls without a pause until it is refused; any other answer that is no echo fails the test. */
async function callUntilRefused(): Promise<number> {
  let count = 0;
  for (;;) {
    const call = { name: 'everything__echo', arguments: { message: 'hello' } };
    const answer = await session.request('tools/call', call).catch((error: unknown) => {
      if (error instanceof TypeError) return undefined;
      throw error;
    });
    if (answer === undefined || answer.body?.result?.isError) return count;
    assert.is(answer.body?.result?.content[0].text, 'Echo: hello', answer.text);
    count += 1;
  }
}

test.run();
