import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseUnavailable } from '../../../lib/http/failure.ts';
import { createProblems } from '../../../lib/observe/problems.ts';

const test = suite('problems of what the service stands on');
const never = new Promise<never>(() => {});
const fine = { database: { query: async () => [] }, containers: { problem: async () => undefined } };

test('there are none when everything answers', async () => {
  const problems = createProblems(fine);

  assert.is(await problems.database(), undefined);
  assert.is(await problems.engine(), undefined);
});

test('a database that is away is a sentence, and what broke inside stays inside', async () => {
  const away = createProblems({
    ...fine,
    database: { query: () => Promise.reject(databaseUnavailable()) },
  });
  const broken = createProblems({
    ...fine,
    database: { query: () => Promise.reject(new Error('password CANARY')) },
  });

  assert.is(await away.database(), databaseUnavailable().message);
  assert.is(await broken.database(), 'Internal error');
});

test('an engine says itself why it does not serve', async () => {
  const problems = createProblems({ ...fine, containers: { problem: async () => 'No engine.' } });

  assert.is(await problems.engine(), 'No engine.');
});

test('what hangs is not waited for', async () => {
  const problems = createProblems({
    database: { query: () => never },
    containers: { problem: () => never },
    limitMs: 20,
  });

  assert.is(await problems.database(), 'The database does not answer.');
  assert.is(await problems.engine(), 'The container engine does not answer.');
});

test.run();
