/** How containers are made: the form, lines for docker, the facts of a server, and the question before data is lost. */
import type { HTTPRequest, Page } from 'puppeteer-core';
import * as assert from 'uvu/assert';
import { configFiles } from '../support/test-servers.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { words } from './support/words.ts';

const database = {
  ...{ name: 'database', transport: 'stdio', image: 'acme/database:1', description: 'Keeps rows' },
  ...{
    entrypoint: ['node', 'server.js'],
    args: ['--quiet'],
    shm_mb: 128,
    pull: 'missing',
    capabilities: ['CHOWN'],
  },
  volumes: [
    { path: '/data' },
    { path: '/work', source: '/srv/project', read_only: true },
    { path: '/db', source: 'mydata' },
  ],
};
const test = await dashboardSuite('containers', {
  service: {
    configs: configFiles(database),
    env: { ADMIN_TOKEN: undefined, DOCKER_HOST: 'unix:///nonexistent/docker.sock' },
  },
});
const refused = /status of 4\d\d/;

const atRisk = {
  success: false,
  error:
    'The server keeps 22 files in its container that this would lose; say `"discard_data": true` to go on.',
  code: 'data_at_risk',
  details: { paths: ['/app/notes.db', '/app/notes.db-wal', '/home/node/a b.txt'], count: 22 },
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Answers in the service's place, and resolves with what was sent; anything else goes its way. */
async function answering(page: Page, path: string, answer: (attempt: number) => Answer) {
  const sent: unknown[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request: HTTPRequest) => {
    if (request.method() !== 'POST' || new URL(request.url()).pathname !== path)
      return void request.continue();
    const text = request.postData();
    sent.push(text === undefined ? undefined : JSON.parse(text));
    const { status, body } = answer(sent.length);
    void request.respond({ status, contentType: 'application/json', body: JSON.stringify(body) });
  });
  return sent;
}

test('the form tells what will run, asks before data is lost, and shows what was warned of', async ({
  visit,
}) => {
  const { user, page } = await visit({ expects: refused });
  const sent = await answering(page, '/api/servers/provision', (attempt) =>
    attempt === 1
      ? { status: 409, body: atRisk }
      : {
          status: 201,
          body: {
            success: true,
            name: 'notes',
            tools: ['notes__add'],
            warnings: ['The local image is used.'],
          },
        },
  );
  await user.presses('button', words.addServer);
  await user.presses('tab', words.imageTab);
  await user.writes('Name', 'notes');
  await user.writes('Image', 'acme/notes:1');
  await page.click('dialog details summary');
  await user.writes(/^Volumes/, '/data\n/srv/project:/work:ro');
  await user.writes(/^Entrypoint/, 'node server.js');
  await user.writes(/^Memory/, '1024');
  await user.writes(/^Processors/, 'two');
  await user.writes(/^Shared memory/, '128');
  await user.writes(/^Time to start/, '90');
  await user.chooses('Pull the image', 'never: it is here');
  await user.reads('-v /data -v /srv/project:/work:ro');
  await user.reads('--memory 1024m');

  await user.presses('button', words.addNow);
  await user.reads(/number from 0.01 to 256/);
  await inspect(page, 'add-image-more');
  await user.writes(/^Processors/, '2');
  await user.presses('button', words.addNow);

  await user.reads('/app/notes.db-wal');
  await user.reads('and 19 more');
  await inspect(page, 'add-image-at-risk');
  await user.presses('button', 'Add, and lose this data');
  await user.reads(/notes is here with 1 tool/);
  await user.reads('The local image is used.');
  await inspect(page, 'add-image-warned');

  const body = {
    ...{ name: 'notes', image: 'acme/notes:1' },
    volumes: [{ path: '/data' }, { path: '/work', source: '/srv/project', read_only: true }],
    ...{ entrypoint: ['node', 'server.js'], limits: { memory_mb: 1024, cpus: 2 }, shm_mb: 128 },
    ...{ timeouts: { start_ms: 90_000 }, pull: 'never' },
  };
  assert.equal(sent, [body, { ...body, discard_data: true }]);
});

test('a line for docker becomes a server in a container, and says what it loses and needs', async ({
  visit,
}) => {
  const { user, page } = await visit({ expects: refused });
  const line = `docker run -i --rm --gpus all -e API_KEY \\
  -v /srv/project:/work:ro -v cache:/cache acme/tool:1 --quiet`;
  await user.presses('button', words.addServer);
  await user.presses('tab', words.pasteTab);
  await user.writes(/docker run/, line);
  await user.presses('button', words.readPasted);

  await user.reads('1 server found');
  await user.reads('-v /srv/project:/work:ro -v cache:/cache -e API_KEY acme/tool:1 --quiet');
  await user.reads(/Left out `--gpus`/);
  await user.reads(/Expects a value for `API_KEY`/);
  await user.reads(/Needs administration rights/);
  await inspect(page, 'add-docker-run');
  await user.presses('button', /^add 1 server/i);

  await user.reads(/Field `volumes\.0\.source` needs administration rights/);
});

test('a pasted server that would lose files is added once that is ticked', async ({ visit }) => {
  const { user, page } = await visit({ expects: refused });
  const sent = await answering(page, '/api/servers', (attempt) =>
    attempt === 1
      ? { status: 409, body: atRisk }
      : { status: 200, body: { success: true, name: 'tool', tool_count: 2, warnings: ['It is slow.'] } },
  );
  await user.presses('button', words.addServer);
  await user.presses('tab', words.pasteTab);
  await user.writes(/docker run/, 'docker run -i acme/tool:1');
  await user.presses('button', words.readPasted);
  await user.presses('button', /^add 1 server/i);

  await user.reads('/home/node/a b.txt');
  await inspect(page, 'add-docker-run-at-risk');
  await user.presses('checkbox', 'Lose this data of tool');
  await user.presses('button', /^add 1 server/i);

  await user.reads('Added, 2 tools');
  await user.reads('It is slow.');
  const config = { name: 'tool', transport: 'stdio', image: 'acme/tool:1', pull: 'missing' };
  assert.equal(sent, [config, { ...config, discard_data: true }]);
});

test('a drawer tells how the container is made, and asks before a restart loses files', async ({ visit }) => {
  const { user, page } = await visit({ expects: refused });
  const restarted = { success: true, message: 'Server database is restarted.', tool_count: 3 };
  const sent = await answering(page, '/api/servers/database/restart', (attempt) =>
    attempt === 1 ? { status: 409, body: atRisk } : { status: 200, body: restarted },
  );
  await user.presses('button', words.serverRow('database'));
  await user.reads('node server.js');
  await user.reads(/\/data of its own/);
  await user.reads(/\/work from \/srv\/project, read-only/);
  await user.reads(/128 MB shared memory/);
  await user.reads(/pulled only when it is not here/);
  await inspect(page, 'drawer-container');

  await user.presses('button', words.restart);
  await user.presses('button', words.confirmRestart);
  await user.reads('/app/notes.db');
  await inspect(page, 'drawer-at-risk');
  await user.presses('button', 'Restart, and lose this data');

  await user.reads('Server database is restarted. It has 3 tools.');
  assert.equal(sent, [undefined, { discard_data: true }]);
});

test.run();
