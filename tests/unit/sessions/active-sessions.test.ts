import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { createActiveSessions } from '../../../lib/sessions/active-sessions.ts';

const test = suite('sessions that something is held for');

/** Of four sessions two have ended. */
function watch() {
  const state = { isAway: false, asked: [] as (readonly string[])[], used: [] as string[] };
  const bus = createLocalBus({ log: silentLog });
  const closed: string[] = [];
  bus.subscribe(({ type, name }) => type === 'session_closed' && closed.push(name));
  const activeSessions = createActiveSessions({
    sessions: {
      use: (ids) => void state.used.push(...ids),
      async gone(ids) {
        state.asked.push(ids);
        if (state.isAway) throw databaseUnavailable();
        return ids.filter((id) => id.startsWith('ended'));
      },
    },
    bus,
    inUse: () => ['alive 1'],
    active: () => ['alive 1', 'ended 1', 'alive 2', 'ended 2', 'ended 1', 'alive 1'].filter(isOpen),
  });
  const isOpen = (id: string) => !closed.includes(id);
  return { activeSessions, bus, closed, state };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('are looked up at once after a gap in the news, and the ends that were missed are told', async () => {
  const { bus, closed, state } = watch();

  bus.reportGap();
  await settled();

  assert.equal(state.asked, [['alive 1', 'ended 1', 'alive 2', 'ended 2']]);
  assert.equal(closed, ['ended 1', 'ended 2']);
});

test('are looked up again after another gap that came meanwhile', async () => {
  const { bus, state } = watch();

  for (let gap = 0; gap < 5; gap += 1) bus.reportGap();
  await settled();

  assert.equal(state.asked.length, 2);
});

test('are looked up later when the database was away', async () => {
  const { activeSessions, bus, closed, state } = watch();
  state.isAway = true;
  bus.reportGap();
  await settled();
  state.isAway = false;

  await activeSessions.poll();
  await activeSessions.poll();

  assert.equal(closed, ['ended 1', 'ended 2']);
  assert.is(state.asked.length, 2);
});

test('are in use while a client listens or waits', async () => {
  const { activeSessions, state } = watch();

  await activeSessions.poll();

  assert.equal([state.used, state.asked], [['alive 1'], []]);
});

test.run();
