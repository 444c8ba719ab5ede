/** Servers die and come back; what does not depend on them does not notice, and nobody has to help. */
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf } from '../support/child-processes.ts';
import { replaceTools } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { projectDir } from '../support/service-command.ts';
import {
  configFiles,
  everythingConfig,
  faultPath,
  memoryConfig,
  startEverything,
  stdioConfig,
} from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('upstream faults');
const echo = { name: 'everything__echo', arguments: { message: 'hello' } };
const echoed = { content: [{ type: 'text', text: 'Echo: hello' }] };
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  const groups = {
    'svc-global': { name: 'svc-global', included_tools: [], included_servers: ['everything'] },
  };
  service = await runService({ configs: configFiles(everythingConfig()), groups });
  session = await openSession(service.groupUrl());
  await untilListed(session, ['everything__echo']);
});

test.after(() => service?.remove());

async function untilListed(of: PlainSession, names: readonly string[]): Promise<void> {
  await waitUntil(`${names} are listed`, async () => {
    const { body } = await of.request('tools/list');
    const listed = body.result.tools.map(({ name }: { name: string }) => name);
    return names.every((name) => listed.includes(name));
  });
}

test('tools of a killed server stay listed, the call under way fails at once, the next one works', async () => {
  const before = await session.request('tools/list');
  const call = { name: 'everything__trigger-long-running-operation', arguments: { duration: 20, steps: 2 } };
  const underWay = session.request('tools/call', call);
  const pid = await waitUntil('the server runs', () => childrenOf(service.pid(), 'server-everything')[0]);
  await new Promise((resolve) => setTimeout(resolve, 100));

  process.kill(pid, 'SIGKILL');
  const killedAt = performance.now();
  const failed = await underWay;
  const failedAfterMs = performance.now() - killedAt;
  const listed = await session.request('tools/list');
  const next = await session.request('tools/call', echo);
  const servedAfterMs = performance.now() - killedAt;

  assert.is(failed.status, 200);
  assert.is(failed.body.result.isError, true);
  assert.match(failed.body.result.content[0].text, '"everything"');
  assert.ok(failedAfterMs < 1000, `${failedAfterMs} ms`);
  assert.equal(listed.body.result, before.body.result);
  assert.equal(next.body.result, echoed);
  assert.ok(servedAfterMs < 5000, `${servedAfterMs} ms`);
  assert.is.not(childrenOf(service.pid(), 'server-everything')[0], pid);
});

test('a killed server comes back by itself, without a call', async () => {
  const [pid = 0] = childrenOf(service.pid(), 'server-everything');

  process.kill(pid, 'SIGKILL');

  const another = () => childrenOf(service.pid(), 'server-everything').find((child) => child !== pid);
  await waitUntil('another process runs', another, { limitMs: 5000 });
});

test('one dead server of ten changes nothing about tools/list', async () => {
  const script = join(service.dir, 'mortal.mjs');
  copyFileSync(join(projectDir, faultPath), script);
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  const mortal = stdioConfig('mortal', [script]);
  const ten = await runService({
    configs: configFiles(...names.map((name) => memoryConfig(name)), mortal),
    groups: {
      'svc-global': { name: 'svc-global', included_tools: [], included_servers: [...names, 'mortal'] },
    },
  });
  try {
    const visitor = await openSession(ten.groupUrl());
    await untilListed(visitor, [...names.map((name) => `${name}__read_graph`), 'mortal__echo']);
    const before = await visitor.request('tools/list');

    rmSync(script);
    const [pid = 0] = childrenOf(ten.pid(), 'mortal.mjs');
    process.kill(pid, 'SIGKILL');
    const dead = await waitUntil('its calls fail', async () => {
      const { body } = await visitor.request('tools/call', { name: 'mortal__echo' });
      return body.result.isError && body;
    });
    // The one that died cannot be asked any more.
    const after = await visitor.request('tools/list');
    const others = await Promise.all(
      names.map((name) => visitor.request('tools/call', { name: `${name}__read_graph` })),
    );

    assert.match(dead.result.content[0].text, '"mortal"');
    assert.is(JSON.stringify(after.body.result), JSON.stringify(before.body.result));
    for (const { body } of others)
      assert.equal(body.result.structuredContent, { entities: [], relations: [] });
  } finally {
    await ten.remove();
  }
});

test('after an HTTP server was restarted, the same gateway session gets answers again', async () => {
  let upstream = await startEverything('streamableHttp');
  const path = join(service.dir, 'http.json');
  const url = `http://127.0.0.1:${upstream.port}/mcp`;
  writeFileSync(path, JSON.stringify({ name: 'everything-http', transport: 'streamable_http', url }));
  const { code, stderr } = await service.cli(['register', '-c', path]);
  assert.is(code, 0, stderr);
  await replaceTools(service, 'svc-global', ['everything-http__echo']);
  const call = { ...echo, name: 'everything-http__echo' };
  assert.equal((await session.request('tools/call', call)).body.result, echoed);

  await upstream.kill();
  const away = await session.request('tools/call', call);
  upstream = await startEverything('streamableHttp', upstream.port);
  try {
    const back = await waitUntil(
      'it answers',
      async () => {
        const { body } = await session.request('tools/call', call);
        return body.result.isError ? undefined : body.result;
      },
      { limitMs: 2000 },
    );

    assert.is(away.body.result.isError, true);
    assert.match(away.body.result.content[0].text, '"everything-http"');
    assert.equal(back, echoed);
  } finally {
    await upstream.kill();
  }
});

test.run();
