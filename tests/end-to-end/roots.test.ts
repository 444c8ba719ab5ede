/**
 * The official filesystem server takes the folders of the client that it serves: asked for when it starts, outside of any
 * call, and again when they change. In one process, and over three replicas of which one holds the server's connection,
 * another one the client's stream, and a third one takes its answers.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Replicas, startReplicas } from '../conformance/replicas.ts';
import {
  type AnsweringClient,
  type AnsweringClientOptions,
  connectAnsweringClient,
} from '../support/answering-client.ts';
import { toolsOf } from '../support/manager-api.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RoutedFetch, routedFetch } from '../support/routed-fetch.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, filesystemPath, stdioConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const database = await createTestDatabase('roots');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-roots-')));
const [wide, narrow, other] = ['wide', 'narrow', 'other'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
for (const one of [wide, narrow, other]) mkdirSync(one);
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const configs = configFiles(
  stdioConfig('files', [filesystemPath, wide], { session_mode: 'stateful' }),
  stdioConfig('shared', [filesystemPath, wide]),
  // Whatever folders it has are a client's.
  stdioConfig('bare', [filesystemPath], { session_mode: 'stateful' }),
);
const servers = Object.keys(configs);
const groups = { 'svc-global': { name: 'svc-global', included_tools: [], included_servers: servers } };
const roots = { roots: { listChanged: true } };

/** Folders that the server lets this client into. */
async function foldersOf({ call }: AnsweringClient, server: string): Promise<string[]> {
  const text = await call(`${server}__list_allowed_directories`);
  return text.split('\n').slice(1);
}

async function whenListed(service: RunningService): Promise<void> {
  for (const server of servers) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(service, server)).length > 0);
  }
}

interface Place {
  url(): string;
  readonly fetch?: RoutedFetch;
  /** Ends the process that serves the clients. */
  readonly kill?: () => Promise<void>;
  start(): Promise<RunningService>;
  remove(): Promise<void> | undefined;
}

function describe(where: string, place: Place): void {
  const test = suite(`the roots of clients, ${where}`);
  const opened: AnsweringClient[] = [];

  async function connect(options: AnsweringClientOptions): Promise<AnsweringClient> {
    const client = await connectAnsweringClient(place.url(), { ...place, ...options });
    opened.push(client);
    return client;
  }

  test.before(async () => whenListed(await place.start()));
  test.after.each(async () => {
    for (const client of opened.splice(0)) await client.close();
  });
  test.after(() => place.remove());

  test('a session has the folders of its client, and others when those change', async () => {
    let own = narrow;
    const answers = { roots: () => [pathToFileURL(own).href] };
    const client = await connect({ capabilities: roots, answers });

    await waitUntil('it has its folder', async () => String(await foldersOf(client, 'files')) === narrow);
    own = other;
    await client.client.sendRootsListChanged();

    await waitUntil('it has the other one', async () => String(await foldersOf(client, 'files')) === other);
  });

  test('a server without folders of its own is of use to a client that has some', async () => {
    const client = await connect({
      capabilities: roots,
      answers: { roots: () => [pathToFileURL(narrow).href] },
    });

    await waitUntil('it has its folder', async () => String(await foldersOf(client, 'bare')) === narrow);
  });

  test('two sessions have each their own, and who declares no roots the server’s', async () => {
    const [ann, bob, mute] = await Promise.all([
      connect({ capabilities: roots, answers: { roots: () => [pathToFileURL(narrow).href] } }),
      connect({ capabilities: roots, answers: { roots: () => [pathToFileURL(other).href] } }),
      connect({ capabilities: {} }),
    ]);

    await waitUntil('ann has hers', async () => String(await foldersOf(ann, 'files')) === narrow);
    await waitUntil('bob has his', async () => String(await foldersOf(bob, 'files')) === other);
    assert.equal(await foldersOf(mute, 'files'), [wide]);
    assert.equal(await foldersOf(ann, 'files'), [narrow]);
  });

  test('a shared server keeps its folders, and asks nobody', async () => {
    const client = await connect({
      capabilities: roots,
      answers: { roots: () => [pathToFileURL(narrow).href] },
    });

    assert.equal(await foldersOf(client, 'shared'), [wide]);
    await client.client.sendRootsListChanged();
    assert.equal(await foldersOf(client, 'shared'), [wide]);
    assert.is(client.asked.length, 0);
  });

  test('a client that listens to nothing but its calls has its folder too', async () => {
    const fetch: RoutedFetch = async (url, init = {}) =>
      init.method === 'GET'
        ? new Response(null, { status: 405 })
        : await (place.fetch ?? globalThis.fetch)(url, init);
    const client = await connect({
      fetch,
      capabilities: roots,
      answers: { roots: () => [pathToFileURL(narrow).href] },
    });

    await waitUntil('it has its folder', async () => String(await foldersOf(client, 'files')) === narrow);
  });

  if (place.kill) {
    const { kill } = place;
    test('a session goes on with its folder where another process takes its place', async () => {
      let own = narrow;
      const answers = { roots: () => [pathToFileURL(own).href] };
      const client = await connect({ capabilities: roots, answers });
      await waitUntil('it has its folder', async () => String(await foldersOf(client, 'files')) === narrow);

      own = other;
      await kill();

      await waitUntil('it has the other one', async () => String(await foldersOf(client, 'files')) === other);
    });
  }

  test.run();
}

let service: RunningService;
describe('in one process', {
  url: () => service.groupUrl(),
  async start() {
    service = await runService({ configs, groups });
    return service;
  },
  remove: () => service?.remove(),
});

if (database !== undefined) {
  let replicas: Replicas;
  describe('on three replicas', {
    url: () => replicas.groupUrl(),
    /** Calls run at the last replica, streams at the first, and what the client answers and tells goes to the second. */
    fetch: routedFetch((purpose) => {
      const [first, second, third] = replicas.all as [RunningService, RunningService, RunningService];
      const isReported = purpose === 'answer' || purpose === 'notifications/roots/list_changed';
      if (isReported || !third.isRunning()) return second;
      return purpose === 'stream' ? first : third;
    }),
    kill: async () => replicas.all[2]?.kill9(),
    async start() {
      replicas = await startReplicas({ database, configs, groups });
      return replicas.manager;
    },
    remove: () => replicas?.remove(),
  });
}
