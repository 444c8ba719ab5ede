import { suite } from 'uvu';
import { createMemorySessions } from '../../support/memory-sessions.ts';
import { describeSessions, newSessionId } from './sessions-contract.ts';

const test = suite('sessions: memory');

describeSessions(test, (options) =>
  createMemorySessions({ ...options, newId: newSessionId, now: () => performance.now() }),
);

test.run();
