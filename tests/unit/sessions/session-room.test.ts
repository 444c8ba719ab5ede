import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSessionRoom } from '../../../lib/sessions/session-room.ts';

const test = suite('room for sessions');

test('is settled only once a count in the background is over, and what it removes is removed', async () => {
  let finishCount = (_rows: number) => {};
  let removed = 0;
  const counts = [Promise.resolve(0), new Promise<number>((resolve) => (finishCount = resolve))];
  const room = createSessionRoom({
    most: 10,
    count: async () => (await counts.shift()) ?? 0,
    async makeRoom(wanted) {
      removed += wanted;
      return wanted;
    },
    now: () => 0,
  });
  for (let entered = 0; entered < 2; entered += 1) {
    await room.enter();
    room.added();
  }

  let isSettled = false;
  const settled = room.settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.not(isSettled);
  finishCount(10);
  await settled;

  assert.is(removed, 1);
});

test('is settled at once where nothing is counted, and after a count that failed', async () => {
  const room = createSessionRoom({
    most: 10,
    count: () => Promise.reject(new Error('away')),
    makeRoom: async () => 0,
    now: () => 0,
  });

  await room.settled();
  const entering = room.enter().catch(String);
  await room.settled();

  assert.is(await entering, 'Error: away');
});

test.run();
