import { spawn } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownerMarkers, reapOrphans } from '../../../lib/upstreams/transports/stdio/node-marked-processes.ts';
import {
  createUpstreamFixture,
  failureOf,
  faultConfig,
  faultServerPath,
  isAlive,
  killAndWait,
  reference,
  until,
} from '../../support/upstream-fixture.ts';

const test = suite('child processes of servers');

const environment = {
  PATH: process.env.PATH,
  LC_ALL: 'C.UTF-8',
  POSTGRES_PASSWORD: 'ours',
  ADMIN_TOKEN: 'ours',
};
const fixture = createUpstreamFixture({ environment });
const { upstreams, callText, call, secrets } = fixture;
test.after(() => fixture.close());

test('a child gets the allow-listed part of our environment, and what its config says', async () => {
  secrets.set('TOKEN_OF_IT', 'value-from-secrets');
  upstreams.install(
    faultConfig('env', [], { env: { PLAIN: 'plain', TOKEN: `Bearer ${reference('TOKEN_OF_IT')}` } }),
  );

  const seen = JSON.parse(await callText('env', 'env'));

  const { SVC_MCP_OWNER, SVC_MCP_OWNER_PROCESS, ...rest } = seen;
  assert.equal(rest, {
    PATH: process.env.PATH,
    LC_ALL: 'C.UTF-8',
    PLAIN: 'plain',
    TOKEN: 'Bearer value-from-secrets',
  });
  assert.is(SVC_MCP_OWNER, 'test');
  assert.match(SVC_MCP_OWNER_PROCESS, new RegExp(`^${process.pid}-\\d+$`));
});

test('a variable without a value keeps that server down and is named; giving it one brings the server up', async () => {
  upstreams.install(
    faultConfig('needy', [], { env: { A: reference('NOT_THERE'), B: reference('NOR_THIS') } }),
  );

  const failure = await failureOf(call('needy', 'echo'));

  assert.is(failure.code, 'upstream_unavailable');
  assert.match(failure.message, 'the variables NOT_THERE, NOR_THIS have no value');
  assert.equal(upstreams.status('needy')?.missingVariables, ['NOT_THERE', 'NOR_THIS']);
  assert.is(upstreams.status('needy')?.state, 'failed');
  assert.is(await callText('env', 'echo'), 'echo');

  secrets.set('NOT_THERE', '1').set('NOR_THIS', '2');
  await upstreams.restart('needy');
  assert.is(upstreams.status('needy')?.state, 'connected');
  assert.equal(upstreams.status('needy')?.missingVariables, []);
});

test('a variable of our own environment is no value', async () => {
  const failure = await failureOf(
    upstreams.prepare(faultConfig('thief', [], { env: { A: reference('ADMIN_TOKEN') } })),
  );

  assert.match(failure.message, 'the variable ADMIN_TOKEN has no value');
});

test('stderr is kept with control characters escaped and secrets blotted out', async () => {
  const seen: string[] = [];
  await callText('env', 'echo');
  const stop = upstreams.followLogs('env', (line) => seen.push(line));

  await callText('env', 'stderr', { text: 'red \u001b[31m\u202e, with value-from-secrets\n' });
  await until(() => seen.length > 0);
  stop();
  await callText('env', 'stderr', { text: 'unheard\n' });
  await until(() => upstreams.logs('env', 1)[0] === 'unheard');

  assert.equal(seen, ['red \\x1b[31m\\u202e, with ***']);
  assert.equal(upstreams.logs('env', 2), [...seen, 'unheard']);
});

test('a child that ignores its closed input and SIGTERM is killed, and its grandchildren too', async () => {
  upstreams.install(faultConfig('stubborn', ['--on-start', 'stubborn']));
  upstreams.install(faultConfig('parent', ['--on-start', 'grandchild']));
  const [stubborn = 0, parent = 0] = await Promise.all(
    ['stubborn', 'parent'].map(async (name) => Number(await callText(name, 'pid'))),
  );
  await until(() => upstreams.logs('parent', 1).length > 0);
  const grandchild = Number(upstreams.logs('parent', 1)[0]?.split(' ')[1]);
  assert.ok(isAlive(grandchild));
  const started = performance.now();

  await Promise.all([upstreams.remove('stubborn'), upstreams.remove('parent')]);

  assert.equal([stubborn, parent, grandchild].map(isAlive), [false, false, false]);
  assert.ok(performance.now() - started < 4500);
});

test('children of a service that was killed are found by their marker and ended', async () => {
  const service = spawn(process.execPath, ['-e', `setInterval(() => {}, 1000)`]);
  const stubborn = ['--on-start', 'stubborn'];
  const start = (markers: Record<string, string>) =>
    spawn(process.execPath, [faultServerPath, ...stubborn], {
      env: { ...process.env, ...markers },
      stdio: 'pipe',
    });
  const ofAnother = start(ownerMarkers('another'));
  const ofOurs = start(ownerMarkers('orphans'));
  const orphan = start({ ...ownerMarkers('orphans'), SVC_MCP_OWNER_PROCESS: `${service.pid}-1` });
  await killAndWait(service);
  await new Promise((resolve) => setTimeout(resolve, 300));

  const count = await reapOrphans('orphans');

  await until(() => orphan.signalCode !== null);
  assert.is(count, 1);
  assert.is(ofAnother.signalCode, null);
  assert.is(ofOurs.signalCode, null);
  await Promise.all([killAndWait(ofAnother), killAndWait(ofOurs)]);
});

test.run();
