import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readTally } from '../../fuzz/tally.ts';

const test = suite('the tally of a fuzzing run');

const clean = { complete: true, failures: [], errors: [] };

function scenario(statuses: Readonly<Record<string, number | undefined>>, failing: Record<string, string>) {
  const interactions = Object.entries(statuses).map(([id, status]) => [
    id,
    { response: status === undefined ? null : { status_code: status } },
  ]);
  const checks = Object.keys(statuses).map((id) => [
    id,
    ['not_a_server_error', 'response_schema_conformance'].map((name) => ({
      name,
      status: failing[id] === name ? 'failure' : 'success',
    })),
  ]);
  const recorder = { interactions: Object.fromEntries(interactions), checks: Object.fromEntries(checks) };
  return JSON.stringify({ ScenarioFinished: { recorder } });
}

test('counts answers, those that held, server errors and answers out of schema', async () => {
  const lines = [
    JSON.stringify({ EngineStarted: {} }),
    scenario({ a: 200, b: 502, c: undefined }, {}),
    scenario({ a: 200, b: 500 }, { a: 'response_schema_conformance', b: 'not_a_server_error' }),
    JSON.stringify({ ScenarioFinished: { recorder: {} } }),
  ];

  const tally = await readTally(lines, clean);

  assert.equal(tally, {
    requests: 4,
    held: 2,
    outOfSchema: 1,
    serverErrors: { 500: 1, 502: 1 },
    failures: [],
  });
});

test('a failure, an error and a run without its end are failures, each with where it was', async () => {
  const summary = {
    complete: false,
    failures: [{ title: 'Server error', count: 2, operations: ['GET /a', 'GET /b'] }],
    errors: [{ title: 'Network Error', count: 1 }],
  };

  const { failures } = await readTally([], summary);

  assert.equal(failures, [
    'Server error: GET /a',
    'Server error: GET /b',
    'Network Error',
    'The run did not come to its end.',
  ]);
});

test.run();
