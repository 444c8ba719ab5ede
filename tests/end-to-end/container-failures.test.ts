/** Servers in containers that fail on a real engine: each answer, and `last_error`, says the cause and the remedy. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { inlineProgram, inlineServer } from '../support/inline-server.ts';
import { manage, readServer, replaceTools } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { provision, register } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('servers in containers that fail');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
let service: RunningService;

test.before(async () => {
  if (services) service = await services.run();
});

test.after(() => services?.close());

const name = (base: string) => services?.name(base) ?? base;
const eatMemory = `const kept = []; for (;;) kept.push(Buffer.alloc(16e6, 1))`;
const enough = { timeouts: { start_ms: 60_000 } };

/** Registers a server that must not come up. */
async function refusalOf(base: string, fields: object) {
  const { status, body } = await register(service, { name: name(base), image: '', ...fields });
  assert.ok(status >= 400, JSON.stringify(body));
  assert.equal(await services?.containersOf(name(base)), []);
  return { message: body.error as string, details: body.details };
}

withEngine('out of memory at its start: the limit, and how to raise it', async () => {
  const limits = { memory_mb: 96 };
  const { message, details } = await refusalOf('oom', { ...inlineProgram(eatMemory), limits, ...enough });

  assert.match(message, 'ran out of memory (its limit is 96 MB): raise `limits.memory_mb`');
  assert.equal([details.exit_code, details.out_of_memory], [137, true]);
});

withEngine('out of memory while it serves: the call and `last_error` say so', async () => {
  const limits = { memory_mb: 96 };
  const answer = await register(service, {
    name: name('eater'),
    ...inlineServer({ atCall: eatMemory }),
    limits,
  });
  assert.is(answer.status, 201, JSON.stringify(answer.body));
  await replaceTools(service, 'svc-global', [`${name('eater')}__work`]);
  const session = await openSession(service.groupUrl());

  const params = { name: `${name('eater')}__work`, arguments: {} };
  const { text } = await session.request('tools/call', params);

  assert.match(text, 'ran out of memory (its limit is 96 MB)');
  assert.match(service.output(), 'ran out of memory (its limit is 96 MB)');
});

withEngine('text that is not MCP is shown, and what it looks like', async () => {
  const program = `console.log('MCP server listening on http://0.0.0.0:3000'); process.exitCode = 1`;
  const { message, details } = await refusalOf('http', { ...inlineProgram(program), ...enough });

  assert.match(message, 'such as: "MCP server listening on http://0.0.0.0:3000"');
  assert.match(message, '`transport` to "streamable_http"');
  assert.equal(details.log_tail, ['[stdout] MCP server listening on http://0.0.0.0:3000']);
});

withEngine('one that needs longer than it may is told which limit it was', async () => {
  const timeouts = { start_ms: 1_500 };
  const { message } = await refusalOf('slow', { image: testImage('silent'), timeouts });

  assert.match(message, 'did not list its tools within 1500 ms of its start');
  assert.match(message, 'raise `timeouts.start_ms` (1500)');
});

withEngine('a capability that it lacks is named, and with it the server starts', async () => {
  const program = inlineServer({ atStart: `require('node:fs').chownSync('/data', 1000, 1000)` });
  const { message } = await refusalOf('chown', program);

  assert.match(
    message,
    'lacks the capability CHOWN, which the gateway drops: set `capabilities` to ["CHOWN"]',
  );
  const file = join(service.dir, 'chown.json');
  const config = { name: name('chown'), transport: 'stdio', ...program, capabilities: ['CHOWN'] };
  writeFileSync(file, JSON.stringify(config));
  const { code, stderr } = await service.cli(['register', '-c', file]);
  assert.is(code, 0, stderr);
});

withEngine('a port where nothing listens is named, and the ones that the image exposes', async () => {
  const web = { image: testImage('everything'), args: ['streamableHttp'], transport: 'streamable_http' };
  const { message } = await refusalOf('port', { ...web, port: 9999, timeouts: { start_ms: 20_000 } });

  assert.match(message, 'nothing listens on port 9999 in its container');
  assert.match(message, '3001');
});

withEngine('a path where nothing is names `path`', async () => {
  const web = { image: testImage('everything'), args: ['streamableHttp'], transport: 'streamable_http' };
  const { message } = await refusalOf('path', { ...web, port: 3001, path: '/nowhere' });

  assert.match(message, 'HTTP 404');
  assert.match(message, '`path`');
});

withEngine('a program that ends by itself, or is not there, is told of by its exit code', async () => {
  const over = await refusalOf('over', inlineProgram('process.exit(0)'));
  assert.match(over.message, 'exit code 0 before it answered');
  assert.match(over.message, 'ended by itself');

  const lost = await refusalOf('lost', { ...inlineProgram(''), entrypoint: ['no-such-program'] });
  assert.match(lost.message, 'exit code 127');
  assert.match(lost.message, 'was not found in the image');
});

withEngine('a server that ends again and again says why while the engine restarts it', async () => {
  const atStart = `const { existsSync, writeFileSync } = require('node:fs');
    if (existsSync('/data/ran')) { console.error('EROFS: read-only file system'); process.exit(4); }
    writeFileSync('/data/ran', '')`;
  const program = inlineServer({ atStart, atCall: 'process.exit(4)' });
  const answer = await register(service, { name: name('loop'), ...program });
  assert.is(answer.status, 201, JSON.stringify(answer.body));
  await replaceTools(service, 'svc-global', [`${name('loop')}__work`]);
  const session = await openSession(service.groupUrl());
  await session.request('tools/call', { name: `${name('loop')}__work`, arguments: {} });

  await waitUntil('it says why', async () => {
    const { last_error: why = '' } = await readServer(service, name('loop'));
    return why.includes('ended with exit code 4') && why.includes('mounted read-only');
  });
  await manage(service, 'DELETE', `/api/servers/${name('loop')}`);
});

const isRoot = process.getuid?.() === 0;
if (services && !isRoot) console.error('an engine of others: skipped, it needs root');

(isRoot ? withEngine : test.skip)(
  'an engine that it may not use is the reason, not another process',
  async () => {
    const config = { name: name('denied'), transport: 'stdio', image: testImage('memory') };
    const denied = await services?.run({ uid: 65_534, configs: { [config.name]: config } });
    assert.ok(denied);
    const problem = 'may not use the socket of the container engine (permission denied)';

    await waitUntil('its record says so', async () => {
      const { last_error: why = '' } = await readServer(denied, config.name);
      return why.includes(problem);
    });
    const { status, body } = await provision(denied, { name: name('new'), image: testImage('memory') });
    assert.is(status, 503);
    assert.match(body.error, problem);
    const restart = await fetch(`${denied.managerUrl}/api/servers/${config.name}/restart`, {
      method: 'POST',
    });
    assert.match(await restart.text(), problem);
    assert.not.match(denied.output(), 'another process of this installation');
  },
);

test.run();
