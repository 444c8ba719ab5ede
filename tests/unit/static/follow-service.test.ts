import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { followService } from '../../../static/state/follow-service.js';
import { createPage } from '../../../static/state/page.js';
import { createMemoryManager } from './memory-manager.ts';

const test = suite('how the dashboard keeps itself fresh');
const realFetch = globalThis.fetch;

test.before.each(() => {
  globalThis.fetch = async () => new Response(new ReadableStream());
  Object.assign(globalThis, { document: { hidden: false } });
});

test.after.each(() => {
  mock.timers.reset();
  globalThis.fetch = realFetch;
  Reflect.deleteProperty(globalThis, 'document');
});

/** In steps short enough for what is fetched to arrive in between. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    mock.timers.tick(50);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a part that could not be fetched is fetched with the next poll, and not with every one', async () => {
  const manager = createMemoryManager({ main: ['a'] });
  const page = createPage({ api: manager.api });
  await page.refresh('servers', 'group');
  mock.timers.enable({ apis: ['setTimeout'] });
  manager.failWith('database_unavailable');
  followService(page, () => '');
  await pass(1_000);
  assert.is(page.store.get().groups, undefined);

  manager.failWith();
  await pass(15_000);
  assert.equal(page.store.get().groups?.names, ['main']);

  manager.calls.length = 0;
  await pass(15_000);
  assert.ok(manager.calls.includes('GET /api/servers'));
  assert.not(manager.calls.includes('GET /api/groups'), `${manager.calls}`);
});

test('a page that is loaded when its first pause ends is not loaded again', async () => {
  const manager = createMemoryManager({ main: ['a'] });
  const page = createPage({ api: manager.api });
  mock.timers.enable({ apis: ['setTimeout'] });
  followService(page, () => '');
  await pass(1_000);
  assert.is(page.store.get().isLoaded, true);

  manager.calls.length = 0;
  await pass(4_000);

  assert.ok(manager.calls.includes('GET /api/servers'), `${manager.calls}`);
  assert.not(manager.calls.includes('GET /api/current?group=main'), `${manager.calls}`);
});

test('a group that is gone is not fetched, be it by somebody else or while the page itself renames it', async () => {
  const events = followedEvents();
  const manager = createMemoryManager({ main: ['a'], old: ['b'], other: ['c'] });
  const page = createPage({ api: manager.api, preferredGroup: 'old' });
  mock.timers.enable({ apis: ['setTimeout'] });
  followService(page, () => '');
  await pass(1_000);

  for (const [name, saving] of [
    ['old', true],
    ['other', false],
  ] as const) {
    page.store.set({ group: name, saving });
    manager.remove(name);
    manager.calls.length = 0;
    events.tell({ type: 'group', name });
    await pass(1_000);

    assert.ok(manager.calls.includes('GET /api/groups'), `${manager.calls}`);
    assert.not(manager.calls.includes(`GET /api/current?group=${name}`), `${manager.calls}`);
    assert.is(page.store.get().group, saving ? name : 'main');
  }
});

test('a change of the default group while it is fetched for the first time, still without a name, is fetched', async () => {
  const events = followedEvents();
  const manager = createMemoryManager({ main: ['a'] });
  const page = createPage({ api: manager.api });
  mock.timers.enable({ apis: ['setTimeout'] });
  manager.slowDown(200);
  followService(page, () => '');
  await pass(100);
  assert.ok(manager.calls.includes('GET /api/current'), `${manager.calls}`);
  assert.is(page.store.get().group, '');

  manager.write('main', ['b']);
  events.tell({ type: 'group', name: 'main', etag: '2' });
  await pass(1_000);

  assert.is(page.store.get().group, 'main');
  assert.equal(page.store.get().saved?.tools, ['b']);
});

/** What the page is told from now on. */
function followedEvents() {
  let tell = (_: object) => {};
  const body = new ReadableStream({
    start(controller) {
      tell = (event) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
    },
  });
  globalThis.fetch = async () => new Response(body);
  return { tell: (event: object) => tell(event) };
}

test.run();
