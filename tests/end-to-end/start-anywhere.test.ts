/** Starts from any folder, by any user who may read the sources: nothing is written beside them that does not belong there. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type InstalledCopy,
  installCopy,
  type StartedProgram,
  whyNotForOthers,
} from '../support/installed-copy.ts';
import { manage, toolsOf } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { projectDir } from '../support/service-command.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('a start from anywhere');
/** Its path needs quotes in a shell. */
const own = installCopy('my gateway');
const readOnly = installCopy('gateway', { isReadOnly: true });
const problem = whyNotForOthers();
if (problem !== undefined) console.error(`a start as another user: skipped, ${problem}`);
const asOther = problem === undefined ? test : test.skip;

test.after(async () => {
  await own.remove();
  await readOnly.remove();
});

async function withService(
  copy: InstalledCopy,
  options: Parameters<InstalledCopy['start']>[0],
  use: (service: StartedProgram) => Promise<void>,
): Promise<void> {
  const service = await copy.start(options);
  try {
    await use(service);
  } finally {
    assert.is(await service.stop(), 0, service.output());
  }
}

/** What people would paste into a terminal that stands in `cwd`. */
async function pasted(copy: InstalledCopy, service: StartedProgram, cwd: string, env = {}) {
  const { gateway_command: command } = await manage(service, 'GET', '/api/status');
  assert.is(service.ready.command, command);
  return await copy.shell(`${command} list groups`, { cwd, env });
}

function assertAnswered({ code, stdout, stderr }: Awaited<ReturnType<typeof pasted>>, group = 'svc-global') {
  assert.is(code, 0, stderr);
  assert.match(stdout, new RegExp(`^${group} +default`, 'm'));
}

/** What earlier versions wrote among the packages, which every copy shares. */
function packageCache(): string[] {
  const folder = join(projectDir, 'node_modules/.cache/svc-mcp');
  return existsSync(folder) ? readdirSync(folder) : [];
}

test('from `/`, a checkout that may be written lives in itself, and its relative paths count from there', async () => {
  const before = own.state(['.data', 'groups', ' ']);
  const env = { HOME: own.makeFolder('home') };
  await withService(own, { cwd: '/', env }, async (service) => {
    await waitUntil('the example is listed', async () => (await toolsOf(service, 'filesystem')).length > 0);
    const session = await openSession(`${service.gatewayUrl}/mcp`);
    const params = { name: 'filesystem__list_directory', arguments: { path: '.' } };
    const { body } = await session.request('tools/call', params);
    const page = await fetch(`${service.managerUrl}/`);
    const status = await manage(service, 'GET', '/api/status');

    assert.match(body.result.content[0].text, '[DIR] decisions');
    assert.match(await page.text(), '<!doctype html>');
    assert.is(status.groups_dir, join(own.folder, 'groups'));
    assert.is(service.ready.files, `${own.folder} (.env, groups, configs, .data)`);
    assert.match(status.gateway_command, `'${own.folder}/bin/gateway.js'`);
    assertAnswered(await pasted(own, service, '/', env));
    assertAnswered(await pasted(own, service, own.folder, env));
  });
  assert.equal(own.state(['.data', 'groups', ' ']), before);
  assert.ok(existsSync(join(own.folder, '.data/installation-id')));
});

test('a folder with groups and configs of its own is lived in, with its settings, and leaves the sources alone', async () => {
  const home = own.makeFolder('second');
  for (const name of ['groups', 'configs']) mkdirSync(join(home, name));
  own.writeFile(join(home, '.env'), 'DEFAULT_GROUP=mine\nGROUPS_DIR=./teams\n');
  const env = { HOME: own.makeFolder('home') };
  const before = own.state();
  await withService(own, { cwd: home, env }, async (service) => {
    const { code, stdout } = await pasted(own, service, '/', env);
    const here = await own.run('gateway.js', ['list', 'groups'], { cwd: home, env });

    assert.is(code, 0);
    assert.match(stdout, /^mine +default/m);
    assert.is(here.stdout, stdout);
    assert.ok(existsSync(join(home, '.data/installation-id')));
    assert.ok(existsSync(join(home, 'teams')));
  });
  assert.equal(own.state(), before);
});

test('settings of the environment count from where they were given', async () => {
  const home = own.makeFolder('settings');
  const env = { HOME: own.makeFolder('home'), DATA_DIR: 'd', GROUPS_DIR: './g', CONFIGS_DIR: 'c' };
  await withService(own, { cwd: home, env }, async (service) => {
    assertAnswered(await pasted(own, service, '/', { HOME: env.HOME }));
    assertAnswered(await own.run('gateway.js', ['list', 'groups'], { cwd: home, env }));
    assert.ok(existsSync(join(home, 'd/installation-id')));
    assert.ok(existsSync(join(home, 'g')));
  });
});

asOther('a checkout that may not be written: what is kept goes to the user’s own folders', async () => {
  const user = readOnly.makeFolder('user');
  const state = join(user, '.local/state/svc-mcp');
  const before = readOnly.state();
  const cached = packageCache();
  for (const cwd of [readOnly.folder, '/']) {
    await withService(readOnly, { cwd, env: { HOME: user } }, async (service) => {
      await manage(service, 'POST', '/api/groups/made', { description: cwd });
      assert.match(service.ready.files ?? '', state);
      assert.ok(existsSync(join(state, 'groups/made.json')));
      assertAnswered(await pasted(readOnly, service, '/', { HOME: user }));
      assertAnswered(await pasted(readOnly, service, user, { HOME: user }));
      await manage(service, 'DELETE', '/api/groups/made');
    });
  }
  assert.equal(readOnly.state(), before);
  assert.equal(packageCache(), cached);
});

asOther('settings beside sources that may not be written count for what is kept elsewhere', async () => {
  const copy = installCopy('settled', { isReadOnly: true, settings: 'DEFAULT_GROUP=settled\n' });
  try {
    const env = { HOME: copy.makeFolder('user') };
    await withService(copy, { cwd: copy.folder, env }, async (service) => {
      assert.ok(existsSync(join(env.HOME, '.local/state/svc-mcp/groups/settled.json')));
      assertAnswered(await pasted(copy, service, '/', env), 'settled');
    });
  } finally {
    await copy.remove();
  }
});

asOther(
  'as systemd starts it, without HOME and from `/`: it lives in its StateDirectory, and no bundle is kept',
  async () => {
    const state = readOnly.makeFolder('state');
    const before = readOnly.state();
    // Who has no home in the environment has one in the list of users, which is nobody's only for nobody.
    const user: Record<string, string> = process.getuid?.() === 0 ? {} : { HOME: '/nonexistent' };
    const env = { STATE_DIRECTORY: state, ...user };
    await withService(readOnly, { cwd: '/', env }, async (service) => {
      assert.match(service.ready.files ?? '', state);
      assertAnswered(await pasted(readOnly, service, '/', user));
      const { gateway_command: command } = await manage(service, 'GET', '/api/status');
      assert.match(command, `GATEWAY_HOME=${state} `);
    });
    assert.equal(readdirSync(state).sort(), ['.data', 'configs', 'groups']);
    assert.equal(readOnly.state(), before);
  },
);

asOther('where nothing can be written, one sentence says what to name', async () => {
  const { code, stdout, stderr } = await readOnly.run('server.js', [], {
    cwd: '/',
    env: { HOME: '/nonexistent' },
  });

  assert.is(code, 1);
  assert.is(stdout, '');
  assert.match(
    stderr,
    /^Cannot start\. GATEWAY_HOME: must name a folder that the user \S+ may write[^\n]*\.\n$/,
  );
  assert.match(stderr, `tried ${readOnly.folder}, /nonexistent/.local/state/svc-mcp`);
});

test.run();
