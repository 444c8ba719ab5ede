import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSessionCache } from '../../../lib/sessions/session-cache.ts';

const test = suite('session cache');
const client = { group: 'g', protocolVersion: '2025-11-25', clientCapabilities: {} };

function openCache() {
  return createSessionCache({ now: () => 0, ttlSeconds: 60 });
}

test('holds 50,000 sessions and then forgets the one used least lately', () => {
  const cache = openCache();
  for (let index = 0; index < 50_000; index += 1) {
    cache.set({ ...client, id: `${index}`, clientInfo: { name: 'same' } }, 0);
  }
  cache.get('0');

  cache.set({ ...client, id: 'one more', clientInfo: { name: 'same' } }, 0);

  assert.is(cache.size(), 50_000);
  assert.ok(cache.get('0'));
  assert.is(cache.get('1'), undefined);
});

test('clients that declare a great deal cannot fill the memory', () => {
  const cache = openCache();
  const padding = 'x'.repeat(1_000_000);

  for (let index = 0; index < 100; index += 1) {
    cache.set({ ...client, id: `${index}`, clientInfo: { name: `${index}`, padding } }, 0);
  }

  assert.ok(cache.size() < 70, `holds ${cache.size()}`);
  assert.ok(cache.get('99'));
});

test('a held session takes less than 1.5 KB', () => {
  const cache = openCache();
  const declared = JSON.stringify({ sampling: {}, roots: { listChanged: true }, elicitation: {} });
  const count = 20_000;
  const before = heapInUse();

  for (let index = 0; index < count; index += 1) {
    const clientInfo = { name: 'agent', version: '1.2.3', title: 'An agent of the usual kind' };
    const id = randomBytes(24).toString('base64url');
    cache.set({ ...client, id, clientInfo, clientCapabilities: JSON.parse(declared) }, 0);
  }

  const bytes = (heapInUse() - before) / count;
  assert.ok(bytes > 50 && bytes < 1500, `${Math.round(bytes)} bytes a session`);
  assert.is(cache.size(), count);
});

/** After everything unreachable was collected. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test.run();
