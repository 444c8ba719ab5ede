/** Starts by a user who may read the sources and write nothing of them: the very first one as the later ones. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installCopy, whyNotForOthers } from '../support/installed-copy.ts';
import { manage } from '../support/manager-api.ts';
import { assertAnswered, pasted, withService } from '../support/pasted-command.ts';
import { projectDir } from '../support/service-command.ts';

const test = suite('a start on sources that may not be written');
const readOnly = installCopy('gateway', { isReadOnly: true, settings: 'DEFAULT_GROUP=settled\n' });
const problem = whyNotForOthers();
if (problem !== undefined) console.error(`a start as another user: skipped, ${problem}`);
const asOther = problem === undefined ? test : test.skip;

test.after(() => readOnly.remove());

/** What earlier versions wrote among the packages, which every copy shares. */
function packageCache(): string[] {
  const folder = join(projectDir, 'node_modules/.cache/svc-mcp');
  return existsSync(folder) ? readdirSync(folder) : [];
}

asOther(
  'what is kept goes to the user’s own folders, and the settings beside the sources count',
  async () => {
    const user = readOnly.makeFolder('user');
    const state = join(user, '.local/state/svc-mcp');
    const before = readOnly.state();
    const cached = packageCache();
    for (const cwd of [readOnly.folder, '/']) {
      await withService(readOnly, { cwd, env: { HOME: user } }, async (service) => {
        await manage(service, 'POST', '/api/groups/made', { description: cwd });
        assert.match(service.ready.files ?? '', state);
        assert.ok(existsSync(join(state, 'groups/made.json')));
        assertAnswered(await pasted(readOnly, service, '/', { HOME: user }), 'settled');
        assertAnswered(await pasted(readOnly, service, user, { HOME: user }), 'settled');
        await manage(service, 'DELETE', '/api/groups/made');
      });
    }
    assert.equal(readOnly.state(), before);
    assert.equal(packageCache(), cached);
  },
);

asOther(
  'as systemd starts it, without HOME and from `/`: it lives in its StateDirectory, and no bundle is kept',
  async () => {
    const state = readOnly.makeFolder('state');
    const before = readOnly.state();
    // Who has no home in the environment has one in the list of users, which is nobody's only for nobody.
    const user: Record<string, string> = process.getuid?.() === 0 ? {} : { HOME: '/nonexistent' };
    const env = { STATE_DIRECTORY: state, ...user };
    await withService(readOnly, { cwd: '/', env, isEmbedded: true }, async (service) => {
      assert.match(service.ready.files ?? '', state);
      assertAnswered(await pasted(readOnly, service, '/', user), 'settled');
      const { gateway_command: command } = await manage(service, 'GET', '/api/status');
      assert.match(command, ` --data ${state}`);
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
