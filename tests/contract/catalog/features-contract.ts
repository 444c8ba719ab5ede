/** What the offers and the sessions' subscriptions must do on every database. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCatalog } from '../../../lib/catalog/database-catalog.ts';
import { createFeatureCatalog } from '../../../lib/catalog/database-features.ts';
import type { ServerFeatures } from '../../../lib/catalog/features.ts';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import type { Database } from '../../../lib/database/database.ts';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import {
  createSessionSubscriptions,
  type Subscription,
} from '../../../lib/sessions/session-subscriptions.ts';
import { waitUntil } from '../../support/wait-until.ts';

export function describeOffers(test: ReturnType<typeof suite>, database: () => Database): void {
  /** One service process over the database. */
  function startProcess() {
    const bus = createLocalBus({ log: silentLog });
    const busMessages: string[] = [];
    let isAway = false;
    let refused = 0;
    bus.subscribe(({ type, name }) => {
      if (type === 'offers') busMessages.push(name);
    });
    const query: Database['query'] = async (...parameters) => {
      if (isAway) {
        refused++;
        throw databaseUnavailable();
      }
      return await database().query(...parameters);
    };
    const catalog = createCatalog({ database: database(), bus, log: silentLog });
    const features = createFeatureCatalog({ database: { query }, catalog, bus, log: silentLog });
    const setAway = (value: boolean) => {
      isAway = value;
    };
    return { bus, busMessages, catalog, features, setAway, refused: () => refused };
  }

  async function register(name: string) {
    const one = startProcess();
    await one.catalog.store(parseServerConfig({ name, transport: 'stdio', command: 'true' }), []);
    return one;
  }

  test('offers read back in another process to the letter, in the order of their server', async () => {
    const { features } = await register('letter');
    await features.store('letter', someOffers);

    const other = startProcess();
    await other.features.load();

    assert.equal(other.features.of('letter'), someOffers);
    assert.equal(other.features.problems('letter'), []);
    assert.equal(other.busMessages, ['letter']);
  });

  test('what clients would refuse is mended for agents and told of, and kept as the server lists it', async () => {
    const { features, catalog } = await register('faulty');
    const faulty: ServerFeatures = {
      ...{ capabilities: '{}', instructions: undefined, templates: [] },
      prompts: [{ key: 'p', definition: '{"name":"p","description":null,"arguments":[{},{"name":"a"}]}' }],
      resources: [
        { key: 'r://1', definition: '{"uri":"r://1"}' },
        { key: 'no uri', definition: '{"uri":"no uri","name":"x"}' },
      ],
      problems: ['A resource without a uri was left out.'],
    };
    await features.store('faulty', faulty);
    const other = startProcess();
    await Promise.all([other.catalog.load(), other.features.load()]);

    assert.equal(other.features.of('faulty'), {
      ...faulty,
      prompts: [{ key: 'p', definition: '{"name":"p","arguments":[{"name":"a"}]}' }],
      resources: [{ key: 'r://1', definition: '{"name":"r://1","uri":"r://1"}' }],
    });
    assert.equal(other.features.problems('faulty'), [
      'A resource without a uri was left out.',
      'The prompt "p": its description is null and was left out.',
      'The prompt "p": its arguments[0] has no name and was left out.',
      'The resource "r://1": its name is missing and is shown as its uri.',
      'The resource "no uri" was left out: its uri is no URI.',
    ]);
    const before = other.busMessages.length;
    await other.features.store('faulty', faulty);
    assert.is(other.busMessages.length, before);
    assert.ok(catalog.server('faulty'));
  });

  test('equal offers are no news, other ones are, and a process that hears of them reads them', async () => {
    const { features, busMessages } = await register('news');
    const other = startProcess();
    await other.catalog.load();
    await features.store('news', someOffers);
    await features.store('news', { ...someOffers });
    await features.store('news', { ...someOffers, prompts: [] });

    other.bus.deliver({ type: 'offers', name: 'news' }, 'remote');
    await waitUntil('the other process knows', () => other.features.of('news')?.prompts.length === 0);

    assert.equal(busMessages, ['news', 'news']);
  });

  test('offers of a removed server are gone, and those that come too late are not kept', async () => {
    const { catalog, features } = await register('gone');
    await features.store('gone', someOffers);

    await catalog.remove('gone');
    await features.store('gone', { ...someOffers, prompts: [] });

    assert.is(features.of('gone'), undefined);
    assert.equal(await database().query(`select server from server_offers where server = 'gone'`), []);
  });

  test('offers that come while the database is away are stored when it is back, the newest of them', async () => {
    const { features, setAway, refused } = await register('away');
    setAway(true);
    const older = features.store('away', someOffers);
    const newer = features.store('away', { ...someOffers, resources: [] });
    await waitUntil('it was tried', () => refused() > 0);
    setAway(false);
    await Promise.all([older, newer]);

    const other = startProcess();
    await other.features.load();
    assert.equal(other.features.of('away')?.resources, []);
  });

  test('what was missed is read after a gap in the news', async () => {
    const { features } = await register('gap');
    const other = startProcess();
    await other.catalog.load();
    await features.store('gap', someOffers);

    other.bus.reportGap();

    await waitUntil('the other process knows', () => other.features.of('gap') !== undefined);
  });

  test('a session’s subscriptions are kept once each, and go with it', async () => {
    const subscriptions = createSessionSubscriptions(database());
    await createSession('s');
    const readAll = async () => (await subscriptions.read(['s'])).get('s');
    const [first, second] = ['r://1', 'r://2'].map((uri) => ({ server: 'demo', uri }));
    if (!first || !second) throw new Error('There are two.');

    await subscriptions.add('s', first);
    await subscriptions.add('s', first);
    await subscriptions.add('s', second);
    assert.equal(await readAll(), [first, second]);

    await subscriptions.remove('s', first);
    assert.equal(await readAll(), [second]);

    await database().query(`delete from sessions where id = 's'`);
    assert.equal(await readAll(), []);
    assert.is(await codeOfAdding('s', first), 'session_not_found');
  });

  test('a session at its limit of subscriptions may ask again for those that it has', async () => {
    await createSession('full');
    await database().query(
      `insert into session_subscriptions (session_id, server, uri)
       select 'full', 'demo', 'r://' || at from generate_series(1, 1000) as at`,
    );

    assert.is(await codeOfAdding('full', { server: 'demo', uri: 'r://7' }), undefined);
    assert.is(await codeOfAdding('full', { server: 'demo', uri: 'r://1001' }), 'too_many_requests');
  });

  test('the subscriptions of many sessions are read at once', async () => {
    const subscriptions = createSessionSubscriptions(database());
    for (const id of ['m1', 'm2', 'm3']) await createSession(id);
    for (const id of ['m1', 'm2']) await subscriptions.add(id, { server: 'demo', uri: `r://${id}` });

    const found = await subscriptions.read(['m2', 'm3', 'm1']);

    assert.equal([...found].sort(), [
      ['m1', [{ server: 'demo', uri: 'r://m1' }]],
      ['m2', [{ server: 'demo', uri: 'r://m2' }]],
      ['m3', []],
    ]);
  });

  async function createSession(id: string): Promise<void> {
    await database().query(
      `insert into sessions (id, group_name, protocol_version, client_info, client_capabilities)
       values ($1, 'g', '2025-11-25', '{}', '{}')`,
      [id],
    );
  }

  async function codeOfAdding(id: string, subscription: Subscription): Promise<unknown> {
    const adding = createSessionSubscriptions(database()).add(id, subscription);
    return await adding.then(
      () => undefined,
      ({ code }) => code,
    );
  }
}

const someOffers: ServerFeatures = {
  capabilities: '{ "prompts":{},"x":12345678901234567890 }',
  instructions: 'Line one\n"two" \0 \ud800 ü',
  prompts: [{ key: 'z', definition: '{ "name":"z", "x-big":12345678901234567890.10, "a":1,"a":2 }' }],
  resources: [
    { key: 'r://2', definition: '{"uri":"r:\\/\\/2","name":"\\u0000 \\ud83d\\ude00"}' },
    { key: 'r://1', definition: '{"uri":"r://1","name":"1"}' },
  ],
  templates: [{ key: 'r://{id}', definition: '{"uriTemplate":"r://{id}","name":"t"}' }],
};
