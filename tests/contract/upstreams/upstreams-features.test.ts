/** What connections learn of a server besides its tools, and how they keep its subscriptions; a real child process. */
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerFeatures } from '../../../lib/catalog/features.ts';
import type { ServerConfig } from '../../../lib/config/server-config.ts';
import type { RawAnswer } from '../../../lib/json-rpc/server-messages.ts';
import { silentLog } from '../../../lib/log.ts';
import { createNodeOpeners } from '../../../lib/services/node-openers.ts';
import { createUpstreams } from '../../../lib/upstreams/create-upstreams.ts';
import type { Upstreams } from '../../../lib/upstreams/upstreams.ts';
import { readOnlySecrets, serverConfig, textOf, until } from '../../support/upstream-fixture.ts';

const test = suite('offers and subscriptions of a server');

interface Fixture {
  readonly upstreams: Upstreams;
  readonly features: ServerFeatures[];
  readonly notificationFeed: string[];
  request(method: string, params: object, sessionId?: string): Promise<RawAnswer>;
  tool(name: string, args?: object, sessionId?: string): Promise<unknown>;
}

async function withServer(run: (fixture: Fixture) => Promise<void>, fields: Partial<ServerConfig> = {}) {
  const features: ServerFeatures[] = [];
  const notificationFeed: string[] = [];
  const upstreams = createUpstreams({
    secrets: readOnlySecrets(new Map()),
    openers: createNodeOpeners({ installationId: 'test', allowedUpstreams: [] }),
    log: silentLog,
    onTools() {},
    onFeatures: (_config, listed) => void features.push(listed),
    onStatus() {},
    onUnsolicited: (server, { method, text }, sessionId) =>
      void notificationFeed.push(`${server} ${sessionId} ${method} ${JSON.parse(text).params?.uri}`),
  });
  upstreams.install(config(fields));
  const request: Fixture['request'] = (method, params, sessionId = 'a') =>
    upstreams.request({
      server: 'offering',
      sessionId,
      method,
      params: () => JSON.stringify(params),
      signal: new AbortController().signal,
    });
  const tool: Fixture['tool'] = async (name, args = {}, sessionId) =>
    JSON.parse(textOf(await request('tools/call', { name, arguments: args }, sessionId)));
  try {
    await run({ upstreams, features, notificationFeed, request, tool });
  } finally {
    await upstreams.close();
  }
}

function config(fields: Partial<ServerConfig>): ServerConfig {
  const path = fileURLToPath(new URL('../../support/offering-server.mjs', import.meta.url));
  return serverConfig({ name: 'offering', command: process.execPath, args: [path], ...fields });
}

const subscribe = 'resources/subscribe';
const unsubscribe = 'resources/unsubscribe';

test('what a server offers is listed behind each connect, over all pages, a refused list as empty', () =>
  withServer(async ({ upstreams, features }) => {
    await upstreams.connect('offering');
    await until(() => features.length > 0);

    const [listed] = features;
    assert.equal(
      listed?.prompts.map(({ key }) => key),
      ['one', 'two', 'three'],
    );
    assert.equal(listed?.resources, [{ key: 'r://one', definition: '{"uri":"r://one","name":"r://one"}' }]);
    assert.equal(listed?.templates, []);
    assert.is(listed?.instructions, 'Ask for one.\0');
    assert.match(listed?.capabilities ?? '', '"subscribe":true');
  }));

test('a server that says its lists changed is listed again', () =>
  withServer(async ({ features, tool }) => {
    await tool('add', { name: 'four' });
    await until(() => features.at(-1)?.prompts.length === 4);

    assert.equal(
      features.at(-1)?.resources.map(({ key }) => key),
      ['r://one', 'r://four'],
    );
  }));

test('what a candidate listed before it was committed counts once it serves', () =>
  withServer(async ({ upstreams, features }) => {
    const candidate = await upstreams.prepare(config({ description: 'newer' }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.is(features.length, 0);

    await candidate.commit();

    await until(() => features.length > 0);
  }));

test('a stateful server is listed without a session, and its process then ended', () =>
  withServer(
    async ({ upstreams, features }) => {
      await upstreams.connect('offering');
      await until(() => features.length > 0);
      await until(() => upstreams.status('offering')?.state === 'idle');
    },
    { sessionMode: 'stateful' },
  ));

test('rule 48: every subscription reaches the server, of the unsubscriptions the last', () =>
  withServer(async ({ request, tool }) => {
    await request(subscribe, { uri: 'r://one' }, 'a');
    await request(subscribe, { uri: 'r://one' }, 'b');
    const early = await request(unsubscribe, { uri: 'r://one' }, 'a');
    const before = await tool('heard');
    await request(unsubscribe, { uri: 'r://one' }, 'b');

    assert.equal(early, { result: '{}' });
    assert.equal(
      [before, await tool('heard')],
      [
        ['+r://one', '+r://one'],
        ['+r://one', '+r://one', '-r://one'],
      ],
    );
  }));

test('rule 48: the end of the last session that wanted it unsubscribes', () =>
  withServer(async ({ upstreams, request, tool }) => {
    await request(subscribe, { uri: 'r://one' }, 'a');
    await request(subscribe, { uri: 'r://one' }, 'b');
    upstreams.setLogLevel('offering', 'c', 'info');

    assert.equal([...new Set(upstreams.activeSessions())].sort(), ['a', 'b', 'c']);
    upstreams.endSession('a');
    assert.equal(await tool('heard', {}, 'c'), ['+r://one', '+r://one']);
    upstreams.endSession('b');

    assert.equal(await tool('heard', {}, 'c'), ['+r://one', '+r://one', '-r://one']);
  }));

test('a new process is subscribed to what sessions still want, and to nothing that was refused', () =>
  withServer(async ({ upstreams, request, tool }) => {
    await request(subscribe, { uri: 'r://one' }, 'a');
    await request(subscribe, { uri: 'r://two' }, 'b');
    const refused = await request(subscribe, { uri: 'r://refused' }, 'a');
    await request(unsubscribe, { uri: 'r://two' }, 'b');

    await tool('end').catch(() => {});
    await upstreams.connect('offering');

    assert.ok('error' in refused);
    assert.equal(await tool('heard'), ['+r://one']);
  }));

test('a replaced registration keeps the subscriptions', () =>
  withServer(async ({ upstreams, request, tool }) => {
    await request(subscribe, { uri: 'r://one' }, 'a');

    await (await upstreams.prepare(config({ description: 'newer' }))).commit();

    assert.equal(await tool('heard'), ['+r://one']);
  }));

test('rule 48: an update is handed on, from a stateful server’s process for its session alone', async () => {
  await withServer(async ({ notificationFeed, tool }) => {
    await tool('update', { uri: 'r://one' });
    await until(() => notificationFeed.length > 0);
    assert.equal(notificationFeed, ['offering undefined notifications/resources/updated r://one']);
  });
  await withServer(
    async ({ notificationFeed, tool }) => {
      await tool('update', { uri: 'r://one' }, 'a');
      await until(() => notificationFeed.length > 0);
      assert.equal(notificationFeed, ['offering a notifications/resources/updated r://one']);
    },
    { sessionMode: 'stateful' },
  );
});

test.run();
