import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installOnce, runInstaller } from '../../../scripts/clients/install-once.ts';
import { failureOf } from '../../support/upstream-fixture.ts';

const test = suite('what tests install for themselves');
let dir: string;
test.before.each(() => {
  dir = mkdtempSync(join(tmpdir(), 'svc-install-'));
});
test.after.each(() => rmSync(dir, { recursive: true, force: true }));

test('is installed once', async () => {
  const folder = join(dir, 'deep/part');
  let fills = 0;
  const fill = async (staging: string) => writeFileSync(join(staging, 'file'), String(++fills));

  await installOnce(folder, fill);
  await installOnce(folder, fill);

  assert.is(readFileSync(join(folder, 'file'), 'utf8'), '1');
  assert.equal(readdirSync(join(dir, 'deep')), ['part']);
});

test('leaves nothing behind when it fails', async () => {
  const failure = await failureOf(
    installOnce(join(dir, 'part'), async (staging) => {
      writeFileSync(join(staging, 'half'), '');
      throw new Error('no network');
    }),
  );

  assert.is(failure.message, 'no network');
  assert.equal(readdirSync(dir), []);
});

test('is the same when somebody else was quicker', async () => {
  const folder = join(dir, 'part');
  await installOnce(folder, async (staging) => {
    writeFileSync(join(staging, 'file'), 'second');
    await installOnce(folder, async (other) => writeFileSync(join(other, 'file'), 'first'), '.other');
  });

  assert.is(readFileSync(join(folder, 'file'), 'utf8'), 'first');
  assert.equal(readdirSync(dir), ['part']);
});

test('a program that fails, or is not there, is told with its last line', async () => {
  const failing = runInstaller(process.execPath, ['-e', 'console.error("one\\ntwo"); process.exit(3)'], dir);
  assert.match((await failureOf(failing)).message, 'ended with 3: two');
  assert.match((await failureOf(runInstaller('no-such-program', [], dir))).message, 'cannot be started');
  assert.not.ok(existsSync(join(dir, 'part')));
});

test.run();
