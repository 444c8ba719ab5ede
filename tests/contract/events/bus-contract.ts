/** Two processes on one database, as far as the bus is concerned. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import type { BusMessage } from '../../../lib/events/bus.ts';
import { createDatabaseBus, type DatabaseBus } from '../../../lib/events/database-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { waitUntil } from '../../support/wait-until.ts';

type Heard = [BusMessage['type'], string, 'local' | 'remote'];

export async function openBus(database: Database, processId: string) {
  const bus: DatabaseBus = createDatabaseBus({ database, processId, log: silentLog });
  const heard: Heard[] = [];
  const gaps = { count: 0 };
  bus.subscribe(({ type, name }, origin) => heard.push([type, name, origin]));
  bus.onGap(() => {
    gaps.count += 1;
  });
  await bus.start();
  return { bus, heard, gaps };
}

export function describeBus(test: ReturnType<typeof suite>, database: () => Database): void {
  test('news reach the other process within a second, and their own process once', async () => {
    const here = await openBus(database(), 'here');
    const there = await openBus(database(), 'there');

    const startedAt = performance.now();
    here.bus.publish({ type: 'group', name: 'svc-global' });
    here.bus.publish({ type: 'session_closed', name: 'an-id' });
    await waitUntil('both arrived', () => there.heard.length === 2);

    assert.ok(performance.now() - startedAt < 1000);
    assert.equal(there.heard, [
      ['group', 'svc-global', 'remote'],
      ['session_closed', 'an-id', 'remote'],
    ]);
    assert.equal(here.heard, [
      ['group', 'svc-global', 'local'],
      ['session_closed', 'an-id', 'local'],
    ]);
    await Promise.all([here.bus.close(), there.bus.close()]);
  });

  test('a name may hold anything', async () => {
    const here = await openBus(database(), 'here');
    const there = await openBus(database(), 'there');

    here.bus.publish({ type: 'tools', name: `quotes '" \\ and ünïcode` });
    await waitUntil('it arrived', () => there.heard.length === 1);

    assert.equal(there.heard, [['tools', `quotes '" \\ and ünïcode`, 'remote']]);
    await Promise.all([here.bus.close(), there.bus.close()]);
  });

  test('a process that closed its bus hears nothing more', async () => {
    const here = await openBus(database(), 'here');
    const there = await openBus(database(), 'there');
    const third = await openBus(database(), 'third');
    await there.bus.close();

    here.bus.publish({ type: 'group', name: 'late' });
    await waitUntil('the third heard', () => third.heard.length === 1);

    assert.equal(there.heard, []);
    await Promise.all([here.bus.close(), third.bus.close()]);
  });
}
