/**
 * What the make targets do around the engine, with programs in its place that write down what they are asked. The
 * real thing is in `tests/stack/`.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCommand } from '../../../support/run-command.ts';
import { plainEnvironment, projectDir } from '../../../support/service-command.ts';

const test = suite<{ dir: string }>('make targets');

/** Writes its arguments and its input into `asked`. */
const writesDown = 'printf "%s\\n" "$(basename "$0") $*" >>../asked; { cat; echo; } >>../asked';
const hasPlugin = writesDown;
const hasNoPlugin = `${writesDown}; [ "$1" != compose ]`;

test.before.each((state) => {
  state.dir = mkdtempSync(join(tmpdir(), 'make-targets-'));
  for (const path of ['Makefile', 'scripts/stack.sh', 'scripts/stack', '.env.example']) {
    cpSync(join(projectDir, path), join(state.dir, 'checkout', path), { recursive: true });
  }
  writeFileSync(join(state.dir, 'socket'), '');
  mkdirSync(join(state.dir, 'bin'));
  program(state.dir, 'docker', hasPlugin);
  program(state.dir, 'docker-compose', writesDown);
  program(state.dir, 'curl', writesDown);
  program(state.dir, 'chown', ':');
});

test.after.each(({ dir }) => rmSync(dir, { recursive: true }));

test('up uses docker compose where there is one', async ({ dir }) => {
  assert.is((await make(dir, 'up')).code, 0);

  assert.match(asked(dir), /^docker compose up -d$/m);
  assert.not.match(asked(dir), /^docker-compose/m);
});

test('up uses docker-compose where there is only that', async ({ dir }) => {
  program(dir, 'docker', hasNoPlugin);

  assert.is((await make(dir, 'up')).code, 0);

  assert.match(asked(dir), /^docker-compose up -d$/m);
});

test('without an engine it says so in a sentence and starts nothing', async ({ dir }) => {
  program(dir, 'docker', `${writesDown}; exit 1`);

  const { code, stderr } = await make(dir, 'up');

  assert.is.not(code, 0);
  assert.match(stderr, /^The container engine does not answer: .+\.$/m);
  assert.not.match(asked(dir), /up -d/);
});

test('up gives up when nothing answers, and names the service and where it says why', async ({ dir }) => {
  program(dir, 'curl', 'exit 7');

  const { code, stderr } = await make(dir, 'up', { UP_LIMIT_SECONDS: '1' });

  assert.is.not(code, 0);
  assert.match(
    stderr,
    /^The gateway did not answer at http:\/\/127\.0\.0\.1:3700\/api\/v0\/tools within 1 s: /m,
  );
  assert.match(stderr, /`docker compose logs gateway`/);
});

test('up makes .env for its owner only, each time with another password', async ({ dir }) => {
  await make(dir, 'up');
  const first = environmentFile(dir);
  assert.is(statSync(join(dir, 'checkout/.env')).mode & 0o777, 0o600);
  rmSync(join(dir, 'checkout/.env'));
  await make(dir, 'up');

  assert.match(first, /^POSTGRES_USER=svc$/m);
  assert.match(first, /^POSTGRES_PASSWORD=[0-9a-f]{48}$/m);
  assert.is.not(environmentFile(dir), first);
});

test('up keeps what a person wrote into .env, adds what it found out, and asks at its ports', async ({
  dir,
}) => {
  const text = '# mine\nPOSTGRES_USER=me\nPOSTGRES_PASSWORD=mine\nMANAGER_PORT=5010\nGATEWAY_PORT="8090"\n';
  writeFileSync(join(dir, 'checkout/.env'), text, { mode: 0o640 });

  const { stdout } = await make(dir, 'up');

  assert.equal(environmentFile(dir).split('\n\n'), [text.trimEnd(), found(dir, {})]);
  assert.is(statSync(join(dir, 'checkout/.env')).mode & 0o777, 0o640);
  assert.match(asked(dir), /^curl .*http:\/\/127\.0\.0\.1:8090\/api\/v0\/tools$/m);
  assert.match(asked(dir), /^curl .*http:\/\/127\.0\.0\.1:5010\/api\/current$/m);
  assert.match(stdout, /^Web UI: {2}http:\/\/127\.0\.0\.1:5010\/$/m);
  assert.match(stdout, /^Gateway: http:\/\/127\.0\.0\.1:8090\/v0\/groups\/svc-global\/mcp$/m);
});

test('what was found out follows the machine, and gives way to a line of a person’s', async ({ dir }) => {
  const text = 'POSTGRES_USER=me\nPOSTGRES_PASSWORD=mine\n';
  writeFileSync(join(dir, 'checkout/.env'), text);
  await make(dir, 'up');
  const first = environmentFile(dir);
  await make(dir, 'up');
  assert.is(environmentFile(dir), first);

  program(dir, 'docker', hasNoPlugin);
  writeFileSync(join(dir, 'checkout/.env'), `${first}DOCKER_GID=42\n`);
  await make(dir, 'up');

  const command = 'docker-compose exec -T manager node bin/svc-mcp.js';
  const expected = found(dir, { GATEWAY_COMMAND: command, DOCKER_GID: undefined });
  assert.is(environmentFile(dir), `${text}\nDOCKER_GID=42\n\n${expected}`);
  assert.match(asked(dir), /^docker-compose up -d$/m);
});

test('a .env without user and password of the database gets them', async ({ dir }) => {
  writeFileSync(join(dir, 'checkout/.env'), 'LOG_LEVEL=debug\nPOSTGRES_PASSWORD=\n');

  await make(dir, 'up');

  assert.match(environmentFile(dir), /^LOG_LEVEL=debug\nPOSTGRES_USER=svc\nPOSTGRES_PASSWORD=[0-9a-f]{48}\n/);
});

test('without the engine’s socket it says where it looked, and starts nothing', async ({ dir }) => {
  const { code, stderr } = await make(dir, 'up', { DOCKER_SOCKET: '/nowhere.sock' });

  assert.is.not(code, 0);
  assert.match(stderr, /no socket of the engine at \/nowhere\.sock: name it as DOCKER_SOCKET/);
  assert.not.match(asked(dir), /up -d/);
});

test('credentials of registries that are no file, or that compose would take for a volume, are told', async ({
  dir,
}) => {
  for (const [path, told] of [
    ['/nowhere/config.json', /is no file/],
    ['config.json', /write its whole path/],
  ] as const) {
    writeFileSync(join(dir, 'checkout/.env'), `REGISTRY_CONFIG=${path}\n`);

    const { code, stderr } = await make(dir, 'up');

    assert.is.not(code, 0);
    assert.match(stderr, told);
  }
  assert.not.match(asked(dir), /up -d/);
});

test('an engine that the manager may not use is told, with the manager’s reason', async ({ dir }) => {
  const reason = 'The manager may not use the socket.';
  program(dir, 'curl', `echo '{"engine":{"ok":false,"reason":"${reason}"},"secrets":{"ok":true}}'`);

  const { code, stderr } = await make(dir, 'up');

  assert.is(code, 0);
  assert.match(stderr, reason);
});

test('clean touches nothing without the word, and says so', async ({ dir }) => {
  program(dir, 'docker', `${writesDown}; case "$*" in *"volume ls"*service*|*volume=*) echo data;; esac`);

  const { code, stdout, stderr } = await make(dir, 'clean');

  assert.is.not(code, 0);
  assert.match(stdout, /Type the word remove/);
  assert.match(stderr, /Nothing was removed/);
  assert.not.match(asked(dir), / rm /);
});

test('tokens reach the two APIs, and no command line', async ({ dir }) => {
  const text = 'POSTGRES_USER=me\nPOSTGRES_PASSWORD=mine\nADMIN_TOKEN=for-people\nGATEWAY_TOKEN=for-agents\n';
  writeFileSync(join(dir, 'checkout/.env'), text);

  await make(dir, 'up');

  const lines = asked(dir).split('\n');
  assert.ok(lines.includes('Authorization: Bearer for-people'), asked(dir));
  assert.ok(lines.includes('Authorization: Bearer for-agents'));
  assert.equal(
    lines.filter((line) => /^(curl|docker)/.test(line) && /for-people|for-agents|mine/.test(line)),
    [],
  );
});

test('down, status and register touch nothing where nothing was started', async ({ dir }) => {
  for (const target of ['down', 'status', 'register']) {
    const { code, stderr } = await make(dir, target);

    assert.is.not(code, 0);
    assert.match(stderr, /`make up`/);
  }
  assert.not.match(asked(dir), /^docker compose (exec|stop|down)/m);
  assert.not.ok(existsSync(join(dir, 'checkout/.env')));
});

function program(dir: string, name: string, body: string): void {
  const path = join(dir, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

function make(dir: string, target: string, more: NodeJS.ProcessEnv = {}) {
  const plain = plainEnvironment();
  const env = {
    ...plain,
    DOCKER_SOCKET: join(dir, 'socket'),
    PATH: `${join(dir, 'bin')}:${plain.PATH}`,
    ...more,
  };
  return runCommand('make', [target], { cwd: join(dir, 'checkout'), env, limitMs: 20_000 });
}

function asked(dir: string): string {
  const path = join(dir, 'asked');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What `make up` adds to `.env`; undefined: not that line. */
function found(dir: string, others: Readonly<Record<string, string | undefined>>): string {
  const { uid, gid } = statSync(join(dir, 'checkout/groups'));
  const values = {
    APP_UID: uid,
    APP_GID: gid,
    DOCKER_SOCKET: join(dir, 'socket'),
    DOCKER_GID: statSync(join(dir, 'socket')).gid,
    GATEWAY_COMMAND: 'docker compose exec -T manager node bin/svc-mcp.js',
    ...others,
  };
  const lines = Object.entries(values).filter(([, value]) => value !== undefined);
  return [
    '# --- Found out by `make up`, which writes it anew; a line of your own in another place wins ---',
    ...lines.map(([name, value]) => `${name}=${value}`),
    '# --- End of what was found out ---\n',
  ].join('\n');
}

function environmentFile(dir: string): string {
  return readFileSync(join(dir, 'checkout/.env'), 'utf8');
}

test.run();
