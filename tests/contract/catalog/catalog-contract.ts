/** What the catalog must do on every database. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Catalog, isSameServer } from '../../../lib/catalog/catalog.ts';
import { createCatalog } from '../../../lib/catalog/database-catalog.ts';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import type { Database } from '../../../lib/database/database.ts';
import { createLocalBus, type LocalBus } from '../../../lib/events/local-bus.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { hasTools } from '../../../lib/registry/registration/store-tools.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** One service process over the database. */
interface Process {
  readonly catalog: Catalog;
  readonly bus: LocalBus;
  /** `tools` news that were published here. */
  readonly busMessages: string[];
  setAway(isAway: boolean): void;
}

export function describeCatalog(test: ReturnType<typeof suite>, database: () => Database): void {
  test('a stored server reads back in another process, tools in the order of their server', async () => {
    const one = startProcess(database());
    await one.catalog.store(config('order', ['-a']), [tool('zebra'), tool('ant'), tool('mule')]);

    const other = startProcess(database());
    assert.not(other.catalog.isLoaded());
    await other.catalog.load();

    assert.ok(other.catalog.isLoaded());
    assert.equal(other.catalog.server('order')?.config, config('order', ['-a']));
    assert.equal(namesOf(other.catalog, 'order'), ['zebra', 'ant', 'mule']);
    assert.is(other.catalog.tool('order__ant')?.fullName, 'order__ant');
  });

  test('the same tools in another order are a change, stored and told', async () => {
    const one = startProcess(database());
    await one.catalog.store(config('again'), [tool('zebra'), tool('ant'), tool('mule')]);
    const other = startProcess(database());
    await other.catalog.load();
    const told = one.busMessages.length;

    await one.catalog.store(config('again'), [tool('mule'), tool('zebra'), tool('ant')]);
    assert.is(one.busMessages.length, told + 1);
    other.bus.deliver({ type: 'tools', name: 'again' }, 'remote');
    await waitUntil('the other process has it', () => namesOf(other.catalog, 'again')?.[0] === 'mule');

    assert.equal(namesOf(other.catalog, 'again'), ['mule', 'zebra', 'ant']);
  });

  test('a stored server without a call time-out has that of the process that reads it', async () => {
    const one = startProcess(database());
    await one.catalog.store(config('timed'), []);

    const other = createCatalog({ database: database(), bus: one.bus, log: silentLog, callTimeoutMs: 1_234 });
    await other.load();

    assert.is(other.server('timed')?.config.timeouts.callMs, 1_234);
  });

  test('a tool that no client could be given stays stored, in no list, in every process; and why is told', async () => {
    const one = startProcess(database());
    const listed = [
      { name: 'odd', definition: '{"name":"odd","inputSchema":"none"}' },
      { name: 'mended', definition: '{"name":"mended","description":null}' },
      { name: 'fine', definition: '{"name":"fine","inputSchema":{"type":"object"}}' },
    ];
    const listing = Object.assign(listed, { problems: ['A tool without a name was left out.'] });
    const stored = await one.catalog.store(config('faulty'), listing);

    const other = startProcess(database());
    await other.catalog.load();
    const server = other.catalog.server('faulty');

    assert.equal(namesOf(other.catalog, 'faulty'), ['mended', 'fine']);
    assert.is(other.catalog.tool('faulty__odd'), undefined);
    const why = 'The tool "odd" was left out: its inputSchema is a string, not a schema.';
    assert.equal(server?.leftOut, [{ fullName: 'faulty__odd', why }]);
    assert.equal(server?.problems, [
      'A tool without a name was left out.',
      why,
      'The tool "mended": its inputSchema is missing and is shown as {"type":"object"}.',
      'The tool "mended": its description is null and was left out.',
    ]);
    assert.ok(isSameServer(server, stored));
    assert.ok(hasTools(server, listing));
    assert.not.ok(hasTools(server, [...listed]), 'another listing problem is another listing');
    assert.is(other.catalog.tool('faulty__mended')?.definition, listed[1]?.definition);
    assert.is(
      other.catalog.tool('faulty__mended')?.shown,
      '{"inputSchema":{"type":"object"},"name":"mended"}',
    );
    const fine = other.catalog.tool('faulty__fine');
    assert.ok(fine && fine.shown === fine.definition);

    await one.catalog.store(config('faulty'), [...listed.slice(2)]);
    assert.equal(one.catalog.server('faulty')?.problems, []);
  });

  test('definitions come back to the letter', async () => {
    const definition =
      '{ "name":"odd", "x-big":12345678901234567890.10, "description":"Zeichen ü \\u0000 \\ud83d\\ude00 😀",\n "inputSchema" : {"a":1,"a":2} }';
    const one = startProcess(database());

    await one.catalog.store(config('letter'), [{ name: 'odd', definition }]);

    const other = startProcess(database());
    await other.catalog.load();
    assert.is(other.catalog.tool('letter__odd')?.definition, definition);
    assert.is(other.catalog.tool('letter__odd')?.description, 'Zeichen ü \0 😀 😀');
    assert.match(other.catalog.tool('letter__odd')?.hash ?? '', /^[0-9a-f]{64}$/);
  });

  test('a tool keeps the time it was first listed, its hash follows its definition', async () => {
    const { catalog } = startProcess(database());
    await catalog.store(config('times'), [tool('kept')]);
    const before = catalog.tool('times__kept');
    await new Promise((resolve) => setTimeout(resolve, 5));

    await catalog.store(config('times'), [tool('added'), tool('kept', 'changed')]);

    const after = catalog.tool('times__kept');
    assert.equal(after?.firstListedAt, before?.firstListedAt);
    assert.is.not(after?.hash, before?.hash);
    assert.ok((catalog.tool('times__added')?.firstListedAt ?? 0) > (before?.firstListedAt ?? 0));
    assert.equal(namesOf(catalog, 'times'), ['added', 'kept']);
  });

  test('a list replaces the one before it, without a list the tools stay', async () => {
    const { catalog } = startProcess(database());
    await catalog.store(config('lists'), [tool('one'), tool('two')]);

    await catalog.store(config('lists', ['-new']));
    assert.equal(namesOf(catalog, 'lists'), ['one', 'two']);
    await catalog.store(config('lists', ['-new']), [tool('two')]);
    assert.equal(namesOf(catalog, 'lists'), ['two']);
    assert.is(catalog.tool('lists__one'), undefined);
    await catalog.store(config('lists', ['-new']), []);
    assert.equal(namesOf(catalog, 'lists'), []);
  });

  test('servers and tools are listed by name', async () => {
    const { catalog } = startProcess(database());
    await catalog.store(config('sort-b'), [tool('z'), tool('a')]);
    await catalog.store(config('sort-a'), [tool('m')]);

    const tools = catalog.tools().map((found) => found.fullName);
    const servers = catalog.servers().map((server) => server.name);

    assert.equal(tools, ['sort-a__m', 'sort-b__a', 'sort-b__z']);
    assert.equal(servers, ['sort-a', 'sort-b']);
    assert.is(catalog.tools(), catalog.tools(), 'the list is built anew for each reader');
  });

  test('only a change is news', async () => {
    const { catalog, busMessages } = startProcess(database());

    await catalog.store(config('news'), [tool('one')]);
    await catalog.store(config('news'), [tool('one')]);
    assert.equal(busMessages, ['news']);
    await catalog.store(config('news', ['-x']), [tool('one')]);
    await catalog.remove('news');
    await catalog.remove('news');

    assert.equal(busMessages, ['news', 'news', 'news']);
  });

  test('news from another process make it read the server again, and tell of it', async () => {
    const one = startProcess(database());
    const other = startProcess(database());
    await one.catalog.store(config('remote'), [tool('one')]);

    other.bus.deliver({ type: 'tools', name: 'remote' }, 'remote');
    await waitUntil('it is known', () => other.catalog.tool('remote__one'));
    assert.ok(other.busMessages.includes('remote'));
    await one.catalog.remove('remote');
    other.bus.deliver({ type: 'tools', name: 'remote' }, 'remote');

    await waitUntil('it is gone', () => !other.catalog.server('remote'));
  });

  test('after a gap in the news everything is read again, once the database answers', async () => {
    const one = startProcess(database());
    const other = startProcess(database());
    await one.catalog.store(config('gap'), [tool('one')]);
    await other.catalog.load();
    await one.catalog.store(config('gap'), [tool('two')]);
    other.setAway(true);

    other.bus.reportGap();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(namesOf(other.catalog, 'gap'), ['one']);
    other.setAway(false);

    await waitUntil('it is read again', () => other.catalog.tool('gap__two'));
  });

  test('while the database is away reads go on and writes fail without a trace', async () => {
    const { catalog, busMessages, setAway } = startProcess(database());
    await catalog.store(config('away'), [tool('one')]);
    setAway(true);

    const code = await catalog.store(config('away'), [tool('two')]).catch((error) => error.code);
    await catalog.remove('away').catch(() => {});

    assert.is(code, 'database_unavailable');
    assert.equal(namesOf(catalog, 'away'), ['one']);
    assert.equal(busMessages, ['away']);
  });

  test('a list that cannot be stored leaves config and tools as they were', async () => {
    const { catalog } = startProcess(database());
    await catalog.store(config('whole'), [tool('one')]);

    await catalog
      .store(config('whole', ['-new']), [tool('two'), { name: 'nul\0', definition: '{}' }])
      .catch(() => {});
    await catalog.load();

    assert.equal(catalog.server('whole')?.config.args, []);
    assert.equal(namesOf(catalog, 'whole'), ['one']);
  });

  test('literal values never reach the database', async () => {
    const { catalog } = startProcess(database());

    const stored = await catalog.store(
      parseServerConfig({ name: 'literal', transport: 'stdio', command: 'a', env: { TOKEN: 'CANARY-7' } }),
    );

    assert.equal(stored.config.env, { TOKEN: '' });
    const rows = await database().query('select * from servers');
    assert.not.match(JSON.stringify(rows), 'CANARY-7');
  });

  test('a server whose removal has begun has no tools, in any process, until it is called off', async () => {
    const one = startProcess(database());
    const other = startProcess(database());
    await one.catalog.store(config('leaves'), [tool('one')]);
    await other.catalog.load();

    const callOff = await one.catalog.withdraw('leaves');

    assert.equal(namesOf(one.catalog, 'leaves'), []);
    assert.is(one.catalog.tool('leaves__one'), undefined);
    assert.equal(one.busMessages, ['leaves', 'leaves']);
    other.bus.deliver({ type: 'tools', name: 'leaves' }, 'remote');
    await waitUntil('another process follows', () => namesOf(other.catalog, 'leaves')?.length === 0);
    assert.ok((await other.catalog.withdrawn()).includes('leaves'));

    await callOff();

    assert.equal(namesOf(one.catalog, 'leaves'), ['one']);
    assert.is(one.busMessages.length, 3);
    other.bus.deliver({ type: 'tools', name: 'leaves' }, 'remote');
    await waitUntil('it follows again', () => other.catalog.tool('leaves__one'));
    assert.not((await other.catalog.withdrawn()).includes('leaves'));
  });

  test('a removal that has begun is on record until it is over, or the server is stored anew', async () => {
    const { catalog } = startProcess(database());
    await catalog.store(config('gone'), [tool('one')]);
    await catalog.withdraw('gone');
    await catalog.remove('gone');
    assert.ok((await catalog.withdrawn()).includes('gone'));

    await catalog.endWithdrawal('gone');
    assert.not((await catalog.withdrawn()).includes('gone'));
    assert.is(catalog.server('gone'), undefined);

    await catalog.withdraw('gone');
    await catalog.store(config('gone'), [tool('two')]);
    assert.not((await catalog.withdrawn()).includes('gone'));
    assert.equal(namesOf(catalog, 'gone'), ['two']);
  });

  test('a removal is called off while the database is away, and stays so when it is back', async () => {
    const { catalog, busMessages, setAway } = startProcess(database());
    await catalog.store(config('back'), [tool('one')]);
    const callOff = await catalog.withdraw('back');
    setAway(true);

    await callOff();
    assert.equal(namesOf(catalog, 'back'), ['one']);
    setAway(false);

    await waitUntil('it is struck out', async () => !(await catalog.withdrawn()).includes('back'));
    await catalog.load();
    assert.equal(namesOf(catalog, 'back'), ['one']);
    assert.ok(busMessages.length >= 3);
  });

  test('many processes that store the same server at once all succeed', async () => {
    const processes = Array.from({ length: 4 }, () => startProcess(database()));
    const tools = Array.from({ length: 30 }, (_, at) => tool(`t${at}`));

    await Promise.all(processes.map(({ catalog }) => catalog.store(config('crowd'), tools)));

    for (const { catalog } of processes) assert.is(namesOf(catalog, 'crowd')?.length, 30);
  });
}

function startProcess(database: Database): Process {
  const bus = createLocalBus({ log: silentLog });
  const busMessages: string[] = [];
  bus.subscribe((item, origin) => {
    if (origin === 'local') busMessages.push(item.name);
  });
  let isAway = false;
  const reach = () => (isAway ? Promise.reject(databaseUnavailable()) : Promise.resolve());
  const breakable: Database = {
    ...database,
    query: (text, values, name) => reach().then(() => database.query(text, values, name)),
    transaction: (work) => reach().then(() => database.transaction(work)),
  };
  return {
    catalog: createCatalog({ database: breakable, bus, log: silentLog }),
    bus,
    busMessages,
    setAway: (away) => {
      isAway = away;
    },
  };
}

function config(name: string, args: string[] = []) {
  return parseServerConfig({ name, transport: 'stdio', command: 'a', args });
}

function tool(name: string, description = '') {
  return { name, definition: JSON.stringify({ name, description, inputSchema: {} }) };
}

function namesOf(catalog: Catalog, server: string): string[] | undefined {
  return catalog.server(server)?.tools.map((found) => found.name);
}
