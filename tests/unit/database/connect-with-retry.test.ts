import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectWithRetry } from '../../../lib/database/connect-with-retry.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';

const test = suite('connect with retry');
const quick = { firstDelayMs: 5, longestDelayMs: 20 };

test('tries until the database is there, and tells of every failure', async () => {
  const causes: unknown[] = [];
  let attempts = 0;

  const answer = await connectWithRetry(
    async () => {
      attempts += 1;
      if (attempts < 4) throw databaseUnavailable(`refusal ${attempts}`);
      return 'connected';
    },
    { ...quick, onFailure: ({ cause }) => causes.push(cause) },
  );

  assert.is(answer, 'connected');
  assert.equal(causes, ['refusal 1', 'refusal 2', 'refusal 3']);
});

test('waits longer each time, up to the cap', async () => {
  const times: number[] = [];

  await connectWithRetry(
    async () => {
      times.push(performance.now());
      if (times.length < 6) throw databaseUnavailable();
    },
    { onFailure() {}, firstDelayMs: 20, longestDelayMs: 80 },
  );

  const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  assert.ok((waits[0] ?? 0) >= 19, `first ${waits[0]}`);
  assert.ok((waits[1] ?? 0) >= 39, `second ${waits[1]}`);
  assert.ok(Math.max(...waits) < 160, `longest ${Math.max(...waits)}`);
});

test('an error that waiting does not cure is thrown at once', async () => {
  const mistake = Object.assign(new Error('syntax error'), { code: '42601' });
  let attempts = 0;

  const outcome = await connectWithRetry(
    async () => {
      attempts += 1;
      throw mistake;
    },
    { ...quick, onFailure: () => assert.unreachable('is not a failure of the connection') },
  ).catch((error: unknown) => error);

  assert.is(outcome, mistake);
  assert.is(attempts, 1);
});

test('stops waiting when it is told to', async () => {
  const stopping = new AbortController();

  const outcome = await connectWithRetry(
    async () => {
      throw databaseUnavailable();
    },
    {
      signal: stopping.signal,
      onFailure: () => setTimeout(() => stopping.abort(new Error('shutting down')), 10),
      firstDelayMs: 60_000,
      longestDelayMs: 60_000,
    },
  ).catch((error: unknown) => (error as Error).message);

  assert.is(outcome, 'shutting down');
});

test.run();
