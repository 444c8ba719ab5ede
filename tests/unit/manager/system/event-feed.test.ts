import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CountWatch, openEventFeed } from '../../../../handlers/manager/system/event-feed.ts';
import { createLocalBus } from '../../../../lib/events/local-bus.ts';
import { silentLog } from '../../../../lib/log.ts';
import { openReader } from '../../../support/mcp-exchange.ts';
import { createMemoryGroups } from '../../../support/memory-groups.ts';

const test = suite('GET /api/events');

function openFeed(calls?: CountWatch) {
  const bus = createLocalBus({ log: silentLog });
  const groups = createMemoryGroups(bus);
  const leaving = new AbortController();
  const body = openEventFeed(bus, groups, leaving.signal, calls);
  const { next } = openReader(new Response(body));
  const nextEvent = async () => JSON.parse((await next()).replace(/^event: message\ndata: /, ''));
  return { bus, groups, leave: () => leaving.abort(), next, nextEvent };
}

test('says at once that it is open, then names what changed', async () => {
  const { bus, next, nextEvent, leave } = openFeed();

  assert.is(await next(), ': open');
  bus.publish({ type: 'tools', name: 'demo' });
  bus.publish({ type: 'server', name: 'demo' });

  assert.equal(await nextEvent(), { type: 'tools', name: 'demo' });
  assert.equal(await nextEvent(), { type: 'server', name: 'demo' });
  leave();
});

test('a group comes with its etag, a group that is gone without', async () => {
  const { groups, next, nextEvent, leave } = openFeed();
  await next();

  groups.write('svc-global', ['demo__echo']);
  groups.forget('svc-global');

  const changed = await nextEvent();
  assert.equal([changed.type, changed.name], ['group', 'svc-global']);
  assert.match(changed.etag, /^".+"$/);
  assert.equal(await nextEvent(), { type: 'group', name: 'svc-global' });
  leave();
});

test('a server whose calls were counted is named, once a look, and no longer than somebody listens', async () => {
  const counts = new Map([
    ['busy', 5],
    ['idle', 2],
  ]);
  let looks = 0;
  const read = () => {
    looks++;
    return new Map(counts);
  };
  const { next, nextEvent, leave } = openFeed({ read, everyMs: 10 });
  await next();

  counts.set('busy', 9).set('late', 1);

  assert.equal(await nextEvent(), { type: 'server', name: 'busy' });
  assert.equal(await nextEvent(), { type: 'server', name: 'late' });
  leave();
  const looksThen = looks;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.is(looks, looksThen);
});

test('the sessions of agents are nobody’s business there', async () => {
  const { bus, next, nextEvent, leave } = openFeed();
  await next();

  bus.publish({ type: 'session_closed', name: 'secret-id' });
  bus.publish({ type: 'session_changed', name: 'secret-id' });
  bus.publish({ type: 'cancelled', name: 'secret-id 1' });
  bus.publish({ type: 'client_answer', name: 'secret-answer-id' });
  bus.publish({ type: 'server', name: 'demo' });

  assert.equal(await nextEvent(), { type: 'server', name: 'demo' });
  leave();
});

test('a page that leaves, or has left before, leaves no listener behind', async () => {
  const bus = createLocalBus({ log: silentLog });
  let listeners = 0;
  const counting = {
    ...bus,
    subscribe: (handler: Parameters<typeof bus.subscribe>[0]) => {
      listeners++;
      const unsubscribe = bus.subscribe(handler);
      return () => {
        listeners--;
        unsubscribe();
      };
    },
  };
  const leaving = new AbortController();

  openEventFeed(counting, createMemoryGroups(bus), leaving.signal);
  const whileOpen = listeners;
  leaving.abort();
  const afterwards = listeners;
  openEventFeed(counting, createMemoryGroups(bus), AbortSignal.abort());

  assert.equal([whileOpen, afterwards, listeners], [1, 0, 0]);
});

test.run();
