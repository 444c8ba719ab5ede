import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { runCommand } from '../../tests/support/run-command.ts';

/**
 * Fills `folder` unless it is there. It appears whole or not at all, also when two processes fill it at the same time.
 * @throws when `fill` does; nothing of it is left.
 */
export async function installOnce(
  folder: string,
  fill: (staging: string) => Promise<void>,
  suffix = `.${process.pid}`,
): Promise<void> {
  if (existsSync(folder)) return;
  const staging = `${folder}${suffix}`;
  mkdirSync(dirname(staging), { recursive: true });
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  try {
    await fill(staging);
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** @throws Error with the last line that the program wrote. */
export async function runInstaller(command: string, args: readonly string[], cwd: string, limitMs = 180_000) {
  const result = await runCommand(command, args, { cwd, env: process.env, limitMs }).catch((error: Error) => {
    throw new Error(`${command} cannot be started: ${error.message}`);
  });
  if (result.code === 0) return;
  const said = `${result.stdout}\n${result.stderr}`.trim().split('\n').at(-1) ?? '';
  const how = result.code === null ? `did not end within ${limitMs / 1000} s` : `ended with ${result.code}`;
  throw new Error(`${command} ${args[0] ?? ''} ${how}: ${said}`);
}
