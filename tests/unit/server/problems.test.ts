import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProblems } from '../../../lib/server/problems.ts';

const test = suite('problems of what the service stands on');
const never = new Promise<never>(() => {});
const fine = { database: { problem: async () => undefined }, containers: { problem: async () => undefined } };

test('there are none when everything answers', async () => {
  const problems = createProblems(fine);

  assert.is(await problems.database(), undefined);
  assert.is(await problems.engine(), undefined);
});

test('a database says itself what is wrong with it', async () => {
  const problems = createProblems({ ...fine, database: { problem: async () => 'It is full.' } });

  assert.is(await problems.database(), 'It is full.');
});

test('an engine says itself why it does not serve', async () => {
  const problems = createProblems({ ...fine, containers: { problem: async () => 'No engine.' } });

  assert.is(await problems.engine(), 'No engine.');
});

test('what hangs is not waited for', async () => {
  const problems = createProblems({
    database: { problem: () => never },
    containers: { problem: () => never },
    limitMs: 20,
  });

  assert.is(await problems.database(), 'The database does not answer.');
  assert.is(await problems.engine(), 'The container engine does not answer.');
});

test.run();
