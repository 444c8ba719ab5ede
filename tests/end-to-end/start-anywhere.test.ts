/** Starts from any folder: whose groups, configs and data count, and that what is printed works from elsewhere. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installCopy } from '../support/installed-copy.ts';
import { manage, toolsOf } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { assertAnswered, pasted, withService } from '../support/pasted-command.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('a start from anywhere');
/** Its path needs quotes in a shell. */
const own = installCopy('my gateway');

test.after(() => own.remove());

test('from `/`, a checkout that may be written lives in itself, and its relative paths count from there', async () => {
  const before = own.state(['.data', 'groups', ' ']);
  const env = { HOME: own.makeFolder('home') };
  await withService(own, { cwd: '/', env, isEmbedded: true }, async (service) => {
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
    assert.match(status.gateway_command, `'${own.folder}/bin/svc-mcp.js'`);
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
    const here = await own.run('svc-mcp.js', ['list', 'groups'], { cwd: home, env });

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
    assertAnswered(await own.run('svc-mcp.js', ['list', 'groups'], { cwd: home, env }));
    assert.ok(existsSync(join(home, 'd/installation-id')));
    assert.ok(existsSync(join(home, 'g')));
  });
});

test.run();
