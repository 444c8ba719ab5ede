/** docs/faults.md beside the code: each kind of fault with its states and `Retry-After`, and the tests that it names. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  databaseFailure,
  type FaultReason,
  toDatabaseFailure,
} from '../../../lib/database/database-fault.ts';
import { sessionLimits } from '../../../lib/database/drivers/run-transaction.ts';
import { Failure, stillStarting } from '../../../lib/failure.ts';
import { tablesOf } from '../../support/markdown-tables.ts';
import { listFiles, readText } from '../../support/source-files.ts';

const test = suite('docs/faults.md');

const text = readText('docs/faults.md');
const [reasons = [], callers = []] = tablesOf(text);

interface Told {
  readonly reason: string;
  /** Whole states, and the beginnings of others. */
  readonly states: readonly string[];
  readonly retryAfter: string;
}

const told: readonly Told[] = reasons.map(([reason = '', , from = '', retryAfter = '']) => ({
  reason: reason.replaceAll('`', ''),
  states: from.match(/\b(?:[0-9][0-9A-Z]{4}|XX00[0-9]|\d{2}P?)\b/g) ?? [],
  retryAfter,
}));

function facts(failure: Failure | undefined): Pick<Told, 'reason' | 'retryAfter'> {
  const { details, headers } = failure ?? new Failure('internal', 'It is no fault of the database.');
  return { reason: String(details?.reason), retryAfter: String(headers['Retry-After']) };
}

function serverError(code: string): Error {
  return Object.assign(new Error('as the server says'), { code, severity: 'ERROR' });
}

/** Of a class any state that the table does not name by itself. */
function exampleOf(state: string): string {
  return state.length === 5 ? state : state.padEnd(5, '0');
}

test('each kind of fault has its row, with the seconds to wait', () => {
  assert.ok(told.length >= 10);
  for (const { reason, retryAfter } of told) {
    const failure = reason === 'starting' ? stillStarting() : databaseFailure(reason as FaultReason);
    assert.equal(facts(failure), { reason, retryAfter });
    assert.is(failure.status, 503);
  }
  const kinds = /const faults = \{([\s\S]*?)\n\} as const/.exec(
    readText('lib/database/database-fault.ts'),
  )?.[1];
  const known = [...(kinds ?? '').matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  assert.equal(told.map(({ reason }) => reason).sort(), [...known, 'starting'].sort());
});

test('each state leads to the kind of its row', () => {
  assert.ok(told.flatMap(({ states }) => states).length >= 15);
  for (const { reason, states, retryAfter } of told)
    for (const state of states) {
      const failure = toDatabaseFailure(serverError(exampleOf(state)));
      assert.equal(facts(failure), { reason, retryAfter }, state);
    }
});

test('the limits on the server are the ones that it tells', () => {
  const [, lock, statement, idle] =
    /a lock is waited for (\S+) s, a statement has (\S+) s, a\s+transaction in which nothing happens ends after (\S+) s/.exec(
      text,
    ) ?? [];
  const set = [...sessionLimits.matchAll(/set_config\('(\w+)', '(\d+)'/g)];

  assert.equal(
    set.map(([, , milliseconds]) => Number(milliseconds) / 1000),
    [lock, statement, idle].map(Number),
  );
});

test('each row names a test that is there', () => {
  const files = new Set(listFiles());
  assert.ok(callers.length > 10);
  for (const row of callers) {
    const name = row.at(-1)?.replaceAll('`', '') ?? '';
    const paths = [`tests/faults/${name}`, `tests/${name}`, name].map((path) => `${path}.test.ts`);
    assert.ok(
      paths.some((path) => files.has(path)),
      name,
    );
  }
});

test.run();
