import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Failure } from '../../../lib/failure.ts';
import { createGroupFolder } from '../../unit/groups/group-folder.ts';

/** A real file system that is full, where this user may mount one. */
const test = suite('groups: a full disk');
const disk = mkdtempSync(join(tmpdir(), 'groups-disk-'));

if (mountSmallDisk()) {
  test('a change that does not fit is 507; file and memory stay, no rest is left, and it heals by itself', async () => {
    const folder = await createGroupFolder();
    const { groups } = await folder.open({ directory: disk });
    const tools = Array.from({ length: 2000 }, (_, at) => `server__tool_number_${at}`);
    const addAll = () =>
      groups.change('default', (group) => ({ ...group, includedTools: [...group.includedTools, ...tools] }));
    await writeFile(join(disk, 'ballast'), 'x'.repeat(40_000));

    const failure: Failure = await addAll().catch((error) => error);
    assert.equal([failure.code, failure.status], ['storage_failed', 507]);
    assert.equal(groups.read('default')?.group?.includedTools, []);
    assert.equal(filesOnDisk(), ['ballast', 'default.json']);
    assert.equal(groups.read('default')?.problem, undefined);

    await rm(join(disk, 'ballast'));
    assert.is((await addAll()).includedTools.length, 2000);
    await folder.close();
  });

  test.after(() => {
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  });
} else {
  rmSync(disk, { recursive: true });
  test.skip('needs the right to mount a small file system');
}

function mountSmallDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    console.error('groups on a full disk: skipped, this user cannot mount a file system');
    return false;
  }
}

function filesOnDisk(): string[] {
  return execFileSync('ls', ['-A', disk], { encoding: 'utf8' }).trim().split('\n').sort();
}

test.run();
