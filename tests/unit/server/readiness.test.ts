import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { createReadiness } from '../../../lib/server/readiness.ts';

const test = suite('readiness');

function fixture({ isFolderless = false } = {}) {
  const facts = { hasGroups: true, hasDatabase: true, isListingFirst: false };
  const readiness = createReadiness({
    isFolderless,
    groups: { isLoaded: () => facts.hasGroups },
    registry: { isListingFirst: () => facts.isListingFirst },
    database: {
      problem: async () => (facts.hasDatabase ? undefined : databaseUnavailable().message),
    },
  });
  return { facts, readiness };
}

test('the reason follows the start step by step, until there is none', async () => {
  const { facts, readiness } = fixture();
  facts.hasGroups = false;
  assert.is(await readiness.reason(), 'The groups are not read yet.');
  facts.hasGroups = true;
  assert.is(await readiness.reason(), 'The stored servers are not read yet.');
  facts.isListingFirst = true;
  assert.is(await readiness.reason(), "The servers' tools are being listed for the first time.");
  assert.not(readiness.isStarted());
  readiness.start();

  assert.is(await readiness.reason(), undefined);
  assert.ok(readiness.isStarted());
});

test('without a folder nobody is answered before a manager has copied the groups', async () => {
  const { facts, readiness } = fixture({ isFolderless: true });
  facts.hasGroups = false;
  assert.is(await readiness.reason(), 'The stored servers are not read yet.');
  readiness.start();

  assert.is(await readiness.reason(), 'No manager has copied the groups into the database yet.');
  assert.not(readiness.isStarted());
  facts.hasGroups = true;
  assert.is(await readiness.reason(), undefined);
  assert.ok(readiness.isStarted());
});

test('until it is over callers are told of the start, and of the database only while that is what is missing', () => {
  const { readiness } = fixture();
  const told = () => {
    const { code, status, message, headers, details } = readiness.refusal();
    assert.equal([code, status, headers], ['database_unavailable', 503, { 'Retry-After': '2' }]);
    return [message, details?.reason];
  };
  const starting = ['The service is still starting; try again shortly.', 'starting'];
  assert.equal(told(), starting);

  readiness.failedWith(databaseUnavailable());
  assert.equal(told(), [databaseUnavailable().message, 'away']);
  readiness.waitFor('The database is being migrated.');
  assert.equal(told(), starting);
  readiness.failedWith(databaseUnavailable());
  readiness.failedWith(undefined);
  assert.equal(told(), starting);
});

test('without its database the service is not ready, before and after its start', async () => {
  const { facts, readiness } = fixture();
  facts.hasDatabase = false;
  assert.is(await readiness.reason(), databaseUnavailable().message);
  readiness.start();

  assert.is(await readiness.reason(), databaseUnavailable().message);
});

test('what the start is held up by comes before everything that the database says', async () => {
  const { facts, readiness } = fixture();
  facts.hasDatabase = false;
  readiness.waitFor('The database is being migrated.');
  assert.is(await readiness.reason(), 'The database is being migrated.');
  readiness.waitFor(undefined);

  assert.is(await readiness.reason(), databaseUnavailable().message);
});

test('a service that is stopping is not ready any more', async () => {
  const { readiness } = fixture();
  readiness.start();
  readiness.stop();

  assert.is(await readiness.reason(), 'The service is stopping.');
});

test.run();
