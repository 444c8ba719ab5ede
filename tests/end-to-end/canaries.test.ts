/** Secret values go to the secrets method and nowhere else: random ones are sent through every path and looked for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayRoutes } from '../../handlers/gateway/routes.ts';
import { managerRoutes } from '../../handlers/manager/routes.ts';
import { createCanaries } from '../support/canaries.ts';
import { filesBelow, type Texts, tablesOf, watchCommandLines } from '../support/leak-places.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { recordAnswers, routesOf } from '../support/recorded-answers.ts';
import { runService } from '../support/run-service.ts';
import { addToSecretsFile, asAdmin, type Paths, useEveryPath } from './canary-paths.ts';

const test = suite('canaries');
const canaries = createCanaries();
const answers = recordAnswers();
const commandLines = watchCommandLines();
let paths: Paths;

test.before(async () => {
  const [adminToken, gatewayToken] = [canaries.make('ADMIN_TOKEN'), canaries.make('GATEWAY_TOKEN')];
  const service = await runService({
    database: withPassword(await createTestDatabase('canaries')) ?? 'embedded',
    env: {
      ADMIN_TOKEN: adminToken,
      GATEWAY_TOKEN: gatewayToken,
      LOG_LEVEL: 'debug',
      STRAY: canaries.make('another variable of ours'),
    },
    groups: {
      'svc-global': {
        name: 'svc-global',
        included_tools: [],
        included_servers: ['api', 'http', 'hand'],
        excluded_tools: ['api__hidden'],
      },
    },
  });
  paths = { service, canaries, answers, adminToken, gatewayToken };
  addToSecretsFile(service, 'REFERRED', canaries.make('secrets file, by hand'));
  await useEveryPath(paths);
  await crawl();
});

test.after(async () => {
  commandLines.stop();
  await paths?.service.remove();
});

/** The tests' Postgres asks for no password and takes any. */
function withPassword(databaseUrl: string | undefined): string | undefined {
  if (databaseUrl === undefined) return undefined;
  const url = new URL(databaseUrl);
  url.password = canaries.make('password of DATABASE_URL');
  return url.href;
}

/** Everything that can be read, with and without token. */
async function crawl(): Promise<void> {
  const { service, adminToken, gatewayToken } = paths;
  const servers = JSON.parse((await asAdmin(paths, 'GET', '/api/servers')).text).servers as {
    name: string;
  }[];
  const values = {
    name: [...servers.map(({ name }) => name), 'svc-global'],
    group: ['svc-global'],
    '*': ['app.js'],
  };
  const sets = [
    { url: service.managerUrl, table: managerRoutes(), token: adminToken },
    { url: service.gatewayUrl, table: gatewayRoutes(), token: gatewayToken },
  ];
  for (const { url, table, token } of sets) {
    const paths = routesOf(table, values).filter(({ method }) => method === 'GET');
    const headers = { authorization: `Bearer ${token}` };
    const read = async ({ path }: { path: string }) => {
      await answers.send('GET', `${url}${path}`);
      await answers.send('GET', `${url}${path}${path.endsWith('/logs') ? '?tail=1000&follow=1' : ''}`, {
        headers,
      });
    };
    await Promise.all(paths.map(read));
  }
}

/** `where: use of the value` for everything found. */
function hits(texts: Texts): string[] {
  return [...texts].flatMap(([where, text]) => canaries.findIn(text).map((use) => `${where}: ${use}`));
}

const secretsFile = () => join(paths.service.dataDir, 'secrets.env');
const isExempt = (path: string) => path === secretsFile() || /\/hand[^/]*\.json$/.test(path);

test('at least 64 values were used, and the search finds them where they belong', () => {
  const inSecretsFile = canaries.findIn(readFileSync(secretsFile(), 'utf8'));

  assert.ok(canaries.count() >= 64, `${canaries.count()}`);
  assert.ok(answers.texts.size > 150, `${answers.texts.size} answers`);
  for (const use of [
    'env, by command line',
    'env, by API',
    'header',
    'bearer_token',
    'second line of a key',
  ]) {
    assert.ok(inSecretsFile.includes(use), use);
  }
});

test('no answer holds one: not the API’s, not the page’s, not an event stream’s, not the command line’s', () => {
  assert.equal(hits(answers.texts), []);
});

test('the log holds none, although servers print what they were given and die', () => {
  const log = paths.service.output();

  assert.match(log, 'ended');
  assert.equal(
    hits(new Map(log.split('\n').map((line, at) => [`log line ${at}: ${line.slice(0, 100)}`, line]))),
    [],
  );
});

test('no file that we write holds one, but for the secrets file', () => {
  const { dataDir, groupsDir, configsDir } = paths.service;
  const files = [dataDir, groupsDir, configsDir].flatMap((folder) => [...filesBelow(folder, isExempt)]);

  assert.ok(files.some(([name]) => name === 'file api.json'));
  assert.equal(hits(new Map(files)), []);
});

test('no table of the database holds one', async () => {
  const { databaseUrl } = paths.service;
  // Embedded, its files were searched with all others.
  if (databaseUrl === undefined) return;

  const tables = await tablesOf(databaseUrl);

  assert.match(tables.get('table public.servers') ?? '', '"api"');
  assert.equal(hits(tables), []);
});

test('no command line of any process ever held one', () => {
  assert.ok([...commandLines.seen].some((line) => line.includes('leaky-server')));
  assert.equal(hits(new Map([...commandLines.seen].map((line) => [line, line]))), []);
});

test.run();
