/**
 * The sources of an earlier version, from the history of this clone, to be run beside those of today with the packages of
 * this checkout. Unlike a stored installation (`installation.ts`) they can be started.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from './service-command.ts';

const parts = ['bin', 'configs', 'docs', 'groups', 'handlers', 'lib', 'package.json', 'server.ts', 'static'];

/** @returns their folder, until this process ends; undefined, after one line that says why, where the clone lacks the commit. */
export function earlierSources(commit: string): string | undefined {
  const archive = spawnSync('git', ['archive', commit, ...parts], { cwd: projectDir, maxBuffer: 2 ** 28 });
  if (archive.status !== 0) {
    const why = archive.error?.message ?? archive.stderr.toString().trim();
    console.error(`the version of commit ${commit}: skipped, it is not in this clone (${why})`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'earlier-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync('tar', ['-xf', '-', '-C', folder], { input: archive.stdout });
  symlinkSync(join(projectDir, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
