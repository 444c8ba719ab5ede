/** Secret values of containers: given to the engine in a request's body, and seen nowhere else, whatever fails. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCanaries } from '../support/canaries.ts';
import { filesBelow, type Texts, tablesOf, watchCommandLines } from '../support/leak-places.ts';
import { recordAnswers } from '../support/recorded-answers.ts';
import { type RecordingEngine, startRecordingEngine, testImage } from '../support/recording-engine.ts';
import { type RunningService, runService } from '../support/run-service.ts';

const test = suite('canaries in containers');
const canaries = createCanaries();
const answers = recordAnswers();
const commandLines = watchCommandLines();
/** Own names, so that other tests on the same engine are left alone. */
const word = `cnt${randomBytes(4).toString('hex')}`;
const engine: RecordingEngine | undefined = await startRecordingEngine();
let service: RunningService;

/** Makes every Node program say on stderr, and beside its protocol, what it was given, before it does anything else. */
const sendAll =
  'for (const stream of [process.stderr, process.stdout]) stream.write(JSON.stringify(process.env)+`\\n`)';
const asNodeOption = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

function envVars(code = sendAll): Record<string, string> {
  const lines = [canaries.make('first line of a key'), canaries.make('second line of a key')];
  return {
    API_KEY: canaries.make('env_vars'),
    QUOTED: `"${canaries.make('quoted env_vars')}"`,
    PEM: ['-----BEGIN KEY-----', ...lines, '-----END KEY-----'].join('\n'),
    NODE_OPTIONS: asNodeOption(code),
  };
}

const call = (method: string, path: string, body?: unknown, headers = {}) =>
  answers.send(method, `${service.managerUrl}${path}`, { body, headers, quietMs: 20_000 });

function provision(name: string, image: string, more: object = {}, headers = {}) {
  const body = { name: `${word}${name}`, image: testImage(image), env_vars: envVars(), ...more };
  return call('POST', '/api/servers/provision', body, headers);
}

async function provisionInEveryWay(): Promise<void> {
  const good = await provision('a', 'everything');
  if (good.status !== 201) throw new Error(`not provisioned: ${good.status} ${good.text}`);
  await provision('a', 'everything');
  await provision('b', 'memory', { volumes: [{ path: '/kept' }] }, { accept: 'text/event-stream' });
  const http = { transport: 'streamable_http', port: 3001, path: '/mcp', command: ['streamableHttp'] };
  await provision('c', 'everything', http);
  await provision('d', 'everything', { env_vars: envVars(`${sendAll};process.exit(3)`) });
  await provision('e', 'broken', {}, { accept: 'text/event-stream' });
  await provision('f', 'no-such-image');
  await provision('g', 'everything', { command: ['no-such-mode'] });
}

async function lookEverywhere(): Promise<void> {
  await call('GET', '/api/servers');
  await call('GET', '/api/servers/secrets-status');
  for (const name of ['a', 'b', 'c']) {
    await call('GET', `/api/servers/${word}${name}`);
    await call('GET', `/api/servers/${word}${name}/logs?tail=1000`);
  }
}

async function changeImages(): Promise<void> {
  for (const name of ['a', 'b']) {
    const path = `/api/servers/${word}${name}`;
    await call('POST', `${path}/update`, { check: true });
    await call('POST', `${path}/update`, { dry_run: true });
    await call('POST', `${path}/update`, { discard_data: true });
    await call('POST', `${path}/rollback`, {});
    await call('POST', `${path}/restart`, { discard_data: true });
  }
}

test.before(async () => {
  if (!engine) return;
  service = await runService({ env: { DOCKER_HOST: engine.host, LOG_LEVEL: 'debug' } });
  await provisionInEveryWay();
  await lookEverywhere();
  await call('POST', `/api/servers/${word}a/restart`);
  await changeImages();
  // Another process, which never saw the values being given.
  await service.restart();
  await lookEverywhere();
});

test.after(async () => {
  commandLines.stop();
  if (!engine) return;
  for (const name of ['a', 'b', 'c']) await call('DELETE', `/api/servers/${word}${name}`);
  await service?.remove();
  await engine.stop();
});

function hits(texts: Texts): string[] {
  return [...texts].flatMap(([where, text]) => canaries.findIn(text).map((use) => `${where}: ${use}`));
}

const testWithEngine = engine ? test : test.skip;

testWithEngine('the values are in the secrets file, those of failed provisions are not', () => {
  const found = canaries.findIn(readFileSync(join(service.dataDir, 'secrets.env'), 'utf8'));
  const names = readFileSync(join(service.dataDir, 'secrets.env'), 'utf8').match(/^\w+(?==)/gm) ?? [];

  assert.equal(found.sort(), ['env_vars', 'first line of a key', 'quoted env_vars', 'second line of a key']);
  assert.is(names.filter((name) => name.endsWith('__API_KEY')).length, 3, names.join());
});

testWithEngine('no answer, log line, file or table holds one', async () => {
  const { dataDir, groupsDir, configsDir, databaseUrl } = service;
  const isExempt = (path: string) => path === join(dataDir, 'secrets.env');
  const files = [dataDir, groupsDir, configsDir].flatMap((folder) => [...filesBelow(folder, isExempt)]);
  const tables = databaseUrl === undefined ? new Map<string, string>() : await tablesOf(databaseUrl);

  assert.match([...answers.texts.values()].join(), '***');
  assert.match([...answers.texts.values()].join(), '[stdout] {');
  assert.equal(hits(answers.texts), []);
  assert.equal(
    hits(
      new Map(
        service
          .output()
          .split('\n')
          .map((line, at) => [`log line ${at}`, line]),
      ),
    ),
    [],
  );
  assert.equal(hits(new Map([...files, ...tables])), []);
});

testWithEngine('no address of a request to the engine holds one', () => {
  const requests = engine?.requested ?? [];

  assert.ok(
    requests.some((one) => one.startsWith('POST /containers/create') || one.includes('/containers/create?')),
  );
  assert.equal(hits(new Map(requests.map((one) => [one, one]))), []);
});

testWithEngine('no label, command or event of a container holds one; three containers are left', async () => {
  const told = (await engine?.toldAbout(word)) ?? '';

  assert.match(told, 'svc-mcp.server');
  assert.equal(hits(new Map([['engine', told]])), []);
  assert.equal(
    (await engine?.containersNamed(word))?.sort(),
    ['a', 'b', 'c'].map((name) => `svc-mcp-${word}${name}`),
  );
});

testWithEngine('no command line of any process ever held one', () => {
  assert.ok(commandLines.seen.size > 0);
  assert.equal(hits(new Map([...commandLines.seen].map((line) => [line, line]))), []);
});

test.run();
