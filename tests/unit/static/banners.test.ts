import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bannersOf } from '../../../static/state/banners.js';
import type { State } from '../../../static/state/page-state.js';

const test = suite('what the dashboard says is down');
const well = {
  live: 'live',
  reachable: true,
  isLoaded: true,
  group: 'g',
  servers: [] as unknown[],
  status: { database: { ok: true }, engine: { ok: true }, secrets: { reachable: true } },
};
const keys = (change: object) => bannersOf({ ...well, ...change } as unknown as State).map(({ key }) => key);

test('nothing while all is well, and nothing while nothing is known', () => {
  assert.equal(keys({}), []);
  assert.equal(keys({ live: 'starting', status: undefined, isLoaded: false }), []);
});

test('a manager that does not answer is said, and that the page shows what it knew', () => {
  const [banner] = bannersOf({ ...well, live: 'lost' } as unknown as State);
  assert.match(banner?.text ?? '', /manager does not answer.*last it said/);
  assert.equal(keys({ reachable: false }), ['manager']);
});

test('a database in trouble is said as the service says it', () => {
  const textFor = (reason?: string) => {
    const status = { ...well.status, database: { ok: false, reason } };
    return bannersOf({ ...well, status } as unknown as State)[0]?.text ?? '';
  };
  assert.match(textFor('Its disk is full.'), /^Its disk is full\. Agents are still served/);
  assert.match(textFor('no route'), /^no route\. Agents/);
  assert.match(textFor(), /^The database is away\. Agents/);
});

test('a missing engine matters only when a server comes from an image', () => {
  const status = { ...well.status, engine: { ok: false, reason: 'no socket' } };
  assert.equal(keys({ status }), []);
  assert.equal(keys({ status, servers: [{ name: 'a', image: 'i' }] }), ['engine']);
});

test('a group file that cannot be read is said with the problem', () => {
  const saved = { tools: [], description: '', problem: 'Not JSON.' };
  const [banner] = bannersOf({ ...well, saved } as unknown as State);
  assert.match(banner?.text ?? '', /file of g cannot be used: Not JSON\. Agents get its last good version/);
});

test('who declined to give the token is told that, not that the manager is away', () => {
  assert.equal(keys({ isLocked: true, live: 'lost' }), ['token']);
});

test('entries of a group that are not clear are said as the service says them', () => {
  const saved = { warnings: ['`r://1` is listed by two.'] };
  const [banner] = bannersOf({ ...well, saved } as unknown as State);
  assert.equal([banner?.key, banner?.text], ['warnings', '`r://1` is listed by two.']);
});

test('a folder of config files that is away is said once, whatever the group is warned of', () => {
  const reason = 'The folder is missing.';
  const status = { ...well.status, configs: { ok: false, reason } };
  assert.equal(keys({ status, saved: { warnings: [reason] } }), ['configs']);
  assert.equal(keys({ status, saved: { warnings: [reason, 'Unclear.'] } }), ['configs', 'warnings']);
});

test('of many unclear entries the first is said, and how many more there are', () => {
  const saved = { warnings: ['One.', 'Two.', 'Three.'] };
  const [banner] = bannersOf({ ...well, saved } as never);
  assert.is(banner?.text, 'One. The log has 2 more.');
});

test.run();
