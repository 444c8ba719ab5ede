import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bundleCache } from '../../../bin/bundle-cache.js';

const test = suite('where bundles are kept');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bundles-')));
const { CACHE_DIRECTORY } = process.env;

test.before.each(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  process.env.CACHE_DIRECTORY = folder;
});

test.after(() => {
  rmSync(folder, { recursive: true, force: true });
  if (CACHE_DIRECTORY === undefined) delete process.env.CACHE_DIRECTORY;
  else process.env.CACHE_DIRECTORY = CACHE_DIRECTORY;
});

function madeCache(): string {
  const cache = bundleCache('/sources');
  assert.ok(cache);
  return cache;
}

test('nothing is run from a folder that others may write, nor from one that is in such a folder', () => {
  const cache = madeCache();
  assert.is(dirname(dirname(cache)), folder);

  for (const open of [cache, dirname(cache)]) {
    for (const mode of [0o770, 0o707]) {
      chmodSync(open, mode);
      assert.is(bundleCache('/sources'), undefined, `${open} ${mode.toString(8)}`);
    }
    chmodSync(open, 0o700);
  }
  assert.is(bundleCache('/sources'), cache);
});

test('a folder for everybody does when nobody can replace what others have in it', () => {
  const cache = madeCache();

  chmodSync(folder, 0o1777);
  assert.is(bundleCache('/sources'), cache);
  chmodSync(folder, 0o777);
  assert.is(bundleCache('/sources'), undefined);
});

test.run();
