import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { createSessions } from '../../../lib/sessions/database-sessions.ts';

const test = suite('the log level of a session');
const row = {
  group_name: 'g',
  protocol_version: '1',
  client_info: {},
  client_capabilities: {},
  idle_seconds: 0,
};
const id = 'session-of-the-test-number-1';

/** A database with one session, whose reads are answered when the test says so, with what they found then. */
function openSessions() {
  let level: unknown = null;
  const reads: (() => void)[] = [];
  const sessions = createSessions({
    database: {
      async query<Row>(text: string, values: readonly unknown[] = []) {
        if (text.includes('set log_level')) [, level] = values;
        if (!text.startsWith('select')) return [] as Row[];
        const found = { ...row, log_level: level };
        await new Promise<void>((resolve) => reads.push(resolve));
        return [found] as Row[];
      },
    },
    bus: createLocalBus({ log: silentLog }),
    newId: () => id,
    now: () => 0,
    ttlSeconds: 100,
  });
  return { sessions, reads };
}

test('is not undone by a read that began before it was set', async () => {
  const { sessions, reads } = openSessions();
  const found = sessions.find(id);

  await sessions.setLogLevel(id, 'debug');
  const answering = setInterval(() => reads.shift()?.(), 1);

  assert.is((await found)?.logLevel, 'debug');
  clearInterval(answering);
  assert.is(sessions.peek(id)?.logLevel, 'debug');
  await sessions.close();
});

test.run();
