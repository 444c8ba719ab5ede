/** What `npm pack` makes, installed and started as people do; its main job is a call through the default group. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../support/free-port.ts';
import { type PackedProgram, packProgram } from '../support/installed-package.ts';
import { manage } from '../support/manager-api.ts';
import { connectClient } from '../support/mcp-client.ts';
import { projectDir, testNode } from '../support/service-command.ts';
import type { StartedProgram } from '../support/started-program.ts';
import { waitUntil } from '../support/wait-until.ts';
import { readPropertyList, readUnit, runPlanned, verifyUnit } from './service-files.ts';

const test = suite('the package');
const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
const newer = `${version}98`;
const newest = `${version}99`;
let packed: PackedProgram;
/** The program of a global install by root. */
let program: string;

test.before(async () => {
  try {
    packed = await packProgram();
    program = join(await packed.install(packed.tarball, packed.makeFolder('global')), 'svc-mcp');
  } catch (error) {
    console.error(error);
    throw error;
  }
});

test.after(() => packed?.remove());

/** Another version, in a place of its own, over the one that is there; nothing is done where that is the same. */
async function installElsewhere(wanted: string): Promise<string> {
  const prefix = packed.makeFolder('elsewhere');
  const other = join(prefix, 'bin/svc-mcp');
  const { stdout } = existsSync(other)
    ? await packed.run(other, ['--version'], { cwd: '/', env: {} })
    : { stdout: '' };
  if (stdout.trim() !== wanted) await packed.install(packed.packAs(wanted), prefix);
  return other;
}

/** The program and its Node are found as in the folders that the files name. */
const pathOfPrograms = () => [dirname(program), dirname(testNode), '/usr/bin', '/bin'].join(delimiter);

/** An agent of the default group calls the example. */
async function assertDoesItsJob({ gatewayUrl }: StartedProgram, message: string): Promise<void> {
  const agent = await connectClient(`${gatewayUrl}/v0/groups/svc-global/mcp`);
  try {
    await waitUntil('the example is listed', async () =>
      (await agent.client.listTools()).tools.some(({ name }) => name === 'everything__echo'),
    );
    const { content } = await agent.client.callTool({ name: 'everything__echo', arguments: { message } });
    assert.equal(content, [{ type: 'text', text: `Echo: ${message}` }]);
  } finally {
    await agent.close();
  }
}

/** `list groups` as the service says that it is typed, from the root folder. */
async function assertPrintedCommandWorks(
  service: StartedProgram,
  env: Record<string, string>,
  asOther = false,
) {
  const { gateway_command: command } = await manage(service, 'GET', '/api/status');
  const { code, stdout, stderr } = await packed.shell(`${command} list groups`, { cwd: '/', env, asOther });
  assert.is(code, 0, `${command}: ${stderr}`);
  assert.match(stdout, `svc-global  default  ${service.gatewayUrl}/`);
}

test('the tarball has all that runs, and nothing of this machine', () => {
  const files = packed.contents();
  const migrations = readdirSync(join(projectDir, 'lib/database/migrations'));
  const needed = [
    ...['dist/server.mjs', 'dist/cli.mjs', 'bin/svc-mcp.js', 'bin/gateway.js', 'bin/server.js'],
    ...['lib/database/drivers/node-pglite-worker.js', 'static/index.html', '.env.example', 'LICENSE'],
    ...migrations.map((name) => `lib/database/migrations/${name}`),
  ];
  // The folder of the superuser is one that the program knows.
  const home = homedir() === '/root' ? [] : [homedir()];
  const ofThisMachine = [projectDir.replace(/\/$/, ''), ...home, 'PRIVATE KEY'];

  assert.equal(
    needed.filter((path) => !files.has(path)),
    [],
  );
  for (const [path, text] of files) {
    for (const found of ofThisMachine) assert.not.ok(text.includes(found), `${path} has ${found}`);
  }
  assert.not.ok(existsSync(join(projectDir, 'dist')), 'packing leaves no bundles in the checkout');
});

test('both of its names tell the version and the commands', async () => {
  const options = { cwd: '/', env: { HOME: '/nonexistent' }, asOther: true };
  for (const name of ['svc-mcp', 'gateway']) {
    const told = await packed.run(join(program, '..', name), ['--version'], options);
    const help = await packed.run(join(program, '..', name), ['--help'], options);

    assert.equal([told.code, told.stdout, told.stderr], [0, `${version}\n`, '']);
    assert.is(help.code, 0);
    assert.match(help.stdout, /^ {2}start /m);
  }
});

test('npx in an empty folder: what it prints works there, and the folder stays empty', async () => {
  const [home, cwd] = [packed.makeFolder('npx-home'), packed.makeFolder('npx-empty')];
  const env = { HOME: home };
  const service = await packed.npmStart(
    ['exec', '--yes', '--package', packed.tarball, '--', 'svc-mcp', 'start'],
    {
      cwd,
      env,
    },
  );
  await assertDoesItsJob(service, 'from npx');
  await assertPrintedCommandWorks(service, env);
  await service.stop();

  assert.equal(readdirSync(cwd), []);
  assert.is(service.ready.files, `${home}/.local/state/svc-mcp (.env, groups, configs, .data)`);
});

test('npx with the tarball’s name, by another user, in `--data`, lists and calls', async () => {
  const cwd = packed.makeFolder('npx-other', { asOther: true });
  const options = {
    cwd,
    env: { HOME: packed.makeFolder('npx-other-home', { asOther: true }) },
    asOther: true,
  };
  const spec = `../tarballs/${basename(packed.tarball)}`;
  const npx = ['exec', '--yes', '--', spec];
  const service = await packed.npmStart([...npx, 'start', '--data', 'mine'], options);
  const called = await packed.npm(
    [...npx, '--data', 'mine', 'call', 'everything__echo', '--args', '{"message":"by npx"}'],
    options,
  );

  assert.equal([called.code, called.stdout], [0, 'Echo: by npx\n'], called.stderr);
  assert.ok(existsSync(join(cwd, 'mine/.data/installation-id')));
  await service.stop();
});

test('a global install, by another user in `/`: data are in its own home, and the examples are laid once', async () => {
  const home = packed.makeFolder('other-home', { asOther: true });
  const state = join(home, '.local/state/svc-mcp');
  const options = { cwd: '/', env: { HOME: home }, asOther: true };
  const first = await packed.start(program, ['start'], options);
  await assertDoesItsJob(first, 'from /');
  await assertPrintedCommandWorks(first, options.env, true);
  const second = await packed.run(program, ['start'], options);
  const removed = await packed.run(program, ['deregister', 'filesystem'], options);
  rmSync(join(state, 'configs/everything.json'));
  assert.is(await first.stop(), 0, first.output());
  const again = await packed.start(program, ['start'], options);

  assert.is(second.code, 1);
  assert.match(second.stderr, /^Cannot start\. [^\n]*\n$/);
  assert.is(removed.code, 0, removed.stderr);
  assert.equal(readdirSync(join(state, 'configs')), []);
  assert.is(await again.stop(), 0, again.output());
});

test('a working directory that may not be written: registers a server, which calls reach', async () => {
  const cwd = packed.makeFolder('read-only');
  chmodSync(cwd, 0o555);
  const options = { cwd, env: { HOME: packed.makeFolder('writer', { asOther: true }) }, asOther: true };
  const service = await packed.start(program, ['start'], options);
  const config = '{"name":"mine","command":"svc-mcp","args":["example","everything"]}';
  const added = await packed.shell(`echo '${config}' | '${program}' register -c -`, options);
  const tried = await packed.run(program, ['try', 'mine__echo', '{"message":"registered"}'], options);

  await assertDoesItsJob(service, 'read-only');
  assert.is(added.code, 0, added.stderr);
  assert.equal([tried.code, tried.stdout], [0, 'Echo: registered\n'], tried.stderr);
  assert.equal(readdirSync(cwd), []);
  assert.is(await service.stop(), 0, service.output());
});

test('a user who may write nowhere gets one sentence', async () => {
  for (const args of [['start'], ['start', '--data', '/nonexistent/data']]) {
    const options = { cwd: '/', env: { HOME: '/nonexistent' }, asOther: true };
    const { code, stdout, stderr } = await packed.run(program, args, options);

    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^Cannot start\. GATEWAY_HOME: must name a folder that [^\n]*`--data`[^\n]*\.\n$/);
  }
});

test('beside another version each has its own data, and commands reach the one whose data are named', async () => {
  const other = await installElsewhere(newer);
  const env = { HOME: packed.makeFolder('beside-home') };
  const options = { cwd: packed.makeFolder('beside-folder'), env };
  const one = await packed.start(program, ['start'], options);
  const two = await packed.start(other, ['start', '--data', 'second'], options);
  const versionOf = async (service: StartedProgram) => (await manage(service, 'GET', '/api/status')).version;

  await assertDoesItsJob(one, 'first');
  await assertDoesItsJob(two, 'second');
  assert.equal([await versionOf(one), await versionOf(two)], [version, newer]);
  for (const command of [program, other]) {
    const reached = async (...args: string[]) =>
      (await packed.run(command, ['list', 'groups', ...args], options)).stdout;
    assert.match(await reached(), `${one.gatewayUrl}/`);
    assert.match(await reached('--data', 'second'), `${two.gatewayUrl}/`);
  }
  await assertPrintedCommandWorks(two, env);
  assert.is(await one.stop(), 0, one.output());
  assert.is(await two.stop(), 0, two.output());
});

test('a newer version over it: data stay, and the session of an agent lives', async () => {
  const updated = await installElsewhere(newer);
  const ports = { MANAGER_PORT: String(await freePort()), GATEWAY_PORT: String(await freePort()) };
  const options = { cwd: '/', env: { HOME: packed.makeFolder('updated-home'), ...ports } };
  const before = await packed.start(updated, ['start'], options);
  const agent = await connectClient(`${before.gatewayUrl}/mcp`);
  const session = agent.sessionId();
  const echo = () =>
    agent.client.callTool({ name: 'everything__echo', arguments: { message: 'still there' } });
  await echo();
  await manage(before, 'POST', '/api/groups/kept', { description: 'of before' });
  await installElsewhere(newest);
  assert.is((await packed.run(updated, ['list', 'servers'], options)).code, 0);
  assert.is(await before.stop(), 0, before.output());
  const after = await packed.start(updated, ['start'], options);
  const { content } = await echo();
  const { stdout: groups } = await packed.run(updated, ['list', 'groups'], options);

  assert.equal(content, [{ type: 'text', text: 'Echo: still there' }]);
  assert.is(agent.sessionId(), session);
  assert.is(after.ready.version, newest);
  assert.match(groups, /^kept /m);
  await agent.close();
  assert.is(await after.stop(), 0, after.output());
});

for (const [path, scope, lives] of [
  ['deploy/systemd/svc-mcp.service', '--system', 'state/svc-mcp'],
  ['deploy/systemd/user/svc-mcp.service', '--user', 'home/.local/state/svc-mcp'],
] as const) {
  test(`${path}: systemd has nothing against it, and the service lives where it says`, async () => {
    const scratch = packed.makeFolder(`unit${scope}`);
    const [home, state] = [join(scratch, 'home'), join(scratch, 'state')];
    const unread = verifyUnit(path, scope, scratch);
    if (unread !== undefined) console.error(`${path} read by systemd: skipped, ${unread}`);
    const planned = readUnit(path, { home, state });
    const HOME = planned.variables.HOME ?? home;
    await runPlanned(planned, { HOME, PATH: pathOfPrograms(), DOCKER_HOST: 'unix:///nonexistent.sock' });

    assert.ok(existsSync(join(scratch, lives, '.data/installation-id')));
  });
}

test('deploy/launchd/svc-mcp.plist is a property list, and what it starts writes its log', async () => {
  const planned = readPropertyList('deploy/launchd/svc-mcp.plist');
  if (planned === undefined) return console.error('svc-mcp.plist: skipped, there is no python3 to read it');
  // One that is in use already, which starts faster.
  const HOME = packed.makeFolder('beside-home');
  await runPlanned(planned, { HOME, PATH: pathOfPrograms(), DOCKER_HOST: 'unix:///nonexistent.sock' });

  assert.match(readFileSync(join(HOME, 'Library/Logs/svc-mcp.log'), 'utf8'), '"msg":"ready"');
});

test.run();
