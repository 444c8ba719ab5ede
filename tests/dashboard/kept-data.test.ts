/** What a server in a container keeps, and why it is not what it should be: told in its drawer, whatever the engine says. */
import type { HTTPRequest, Page } from 'puppeteer-core';
import { keptForItsLayer } from '../../lib/containers/store/data-at-risk.ts';
import { configFiles } from '../support/test-servers.ts';
import { dashboardSuite } from './support/dashboard-suite.ts';
import { inspect } from './support/inspect.ts';
import { words } from './support/words.ts';

const database = {
  ...{ name: 'database', transport: 'stdio', image: 'acme/database:1' },
  volumes: [{ path: '/data' }, { path: '/work', source: '/srv/project' }, { path: '/db', source: 'mydata' }],
};
const test = await dashboardSuite('kept data', {
  service: {
    configs: configFiles(database),
    env: { ADMIN_TOKEN: undefined, DOCKER_HOST: 'unix:///nonexistent/docker.sock' },
  },
});
const layer = { paths: ['/app/notes.db', '/app/notes.db-wal', '/home/node/a b.txt'], count: 22 };
const running = { status: 'running', running: true, tool_count: 3, last_error: undefined };

/** The service's records of servers, with this in them. */
async function telling(page: Page, patch: object): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', (request: HTTPRequest) => {
    const { pathname } = new URL(request.url());
    if (!/^\/api\/servers(\/database)?$/.test(pathname)) return void request.continue();
    void patched(request.url(), patch).then((body) =>
      request.respond({ status: 200, contentType: 'application/json', body }),
    );
  });
  await page.reload();
}

async function patched(url: string, patch: object): Promise<string> {
  const answer = await (await fetch(url)).json();
  const server = answer.server && { ...answer.server, ...patch };
  const servers = answer.servers?.map((record: object) => ({ ...record, ...patch }));
  return JSON.stringify({ ...answer, server, servers });
}

test('deleting names the volumes and files that go, and the folders and volumes that stay', async ({
  visit,
}) => {
  const { user, page } = await visit();
  await telling(page, {
    ...running,
    data: {
      volumes: [{ path: '/data', volume: 'svc-mcp-database-0a1b2c3d' }],
      mounts: [
        { type: 'bind', source: '/srv/project', path: '/work' },
        { type: 'volume', source: 'mydata', path: '/db' },
      ],
      layer,
    },
  });
  await user.presses('button', words.serverRow('database'));
  await user.presses('button', words.deleteServer);

  await user.reads(/\/data is lost, with volume svc-mcp-database-0a1b2c3d/);
  await user.reads(/22 files in its container are lost/);
  await user.reads(/\/work stays: folder \/srv\/project/);
  await user.reads(/\/db stays: volume mydata/);
  await inspect(page, 'delete-names-data');
});

test('a server that is kept as it was for its files runs, and says what waits', async ({ visit }) => {
  const { user, page } = await visit();
  await telling(page, { ...running, problem: keptForItsLayer('database', layer) });

  await user.reads('Change not in effect');
  await user.presses('button', words.serverRow('database'));
  await user.sees('button', words.restart);
  await user.reads(/To lose that, restart it/);
  await inspect(page, 'drawer-kept-for-its-layer');
});

test('going back names the image before', async ({ visit }) => {
  const { user, page } = await visit();
  const digest = (sign: string) => `sha256:${sign.repeat(64)}`;
  await telling(page, {
    ...running,
    update_available: {
      reference: 'acme/database:1',
      old_digest: digest('a'),
      new_digest: digest('b'),
      seen_at: new Date(0).toISOString(),
    },
    previous_image: { reference: 'acme/database:1', digest: digest('c') },
  });
  await user.presses('button', words.serverRow('database'));
  await user.reads(/Now a{12}, newer b{12}/);
  await user.sees('button', words.update);

  await user.presses('button', words.rollBack);
  await user.reads(/The image before, c{12},/);
  await inspect(page, 'roll-back-asked');
});

test.run();
