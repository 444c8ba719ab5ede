/**
 * The program as somebody has installed it: a copy of its sources in a folder of its own, with the packages of this checkout,
 * started from any folder by any user.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandResult, runCommand } from './run-command.ts';
import { projectDir, testNode } from './service-command.ts';
import { serviceDatabase } from './service-database.ts';
import { type StartedProgram, startProgram } from './started-program.ts';

const parts = ['bin', 'configs', 'docs', 'groups', 'handlers', 'lib', 'package.json', 'server.ts', 'static'];

export interface InstalledCopy {
  /** Of the sources. */
  readonly folder: string;
  /** A new folder beside them, of the user that programs run as. */
  makeFolder(name: string): string;
  writeFile(path: string, content: string): void;
  /** Path, size and time of every file and folder of the sources, but for those that start with one of `others`. */
  state(others?: readonly string[]): string[];
  /** The service; ready when this resolves. */
  start(options: ProgramOptions): Promise<StartedProgram>;
  /** Runs a program of `bin/` to its end. */
  run(program: string, args: readonly string[], options: ProgramOptions): Promise<CommandResult>;
  /** A line for a shell, as people paste it. */
  shell(line: string, options: ProgramOptions): Promise<CommandResult>;
  remove(): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** All that it finds in its environment, but for PATH, and ports that are free. */
  readonly env?: Readonly<Record<string, string>>;
  /** Also where there is a Postgres, which is ready sooner. */
  readonly isEmbedded?: boolean;
}

export interface CopyOptions {
  /** For whoever runs it: when we are root that is somebody else. */
  readonly isReadOnly?: boolean;
  /** `.env` beside the sources. */
  readonly settings?: string;
}

export function installCopy(name: string, { isReadOnly = false, settings }: CopyOptions = {}): InstalledCopy {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'installed-')));
  chmodSync(base, 0o755);
  const folder = join(base, name);
  for (const part of parts) cpSync(join(projectDir, part), join(folder, part), { recursive: true });
  symlinkSync(join(projectDir, 'node_modules'), join(folder, 'node_modules'));
  const uid = isReadOnly && process.getuid?.() === 0 ? 65_534 : undefined;
  if (settings !== undefined) writeFileSync(join(folder, '.env'), settings);
  if (isReadOnly) forAll(folder, (path, isFolder) => chmodSync(path, isFolder ? 0o555 : 0o444));
  const started: StartedProgram[] = [];
  const whole = (env: ProgramOptions['env'] = {}) => ({ PATH: process.env.PATH, ...env });
  return {
    folder,
    makeFolder(inside) {
      const path = join(base, inside);
      mkdirSync(path, { recursive: true });
      if (uid !== undefined) chownSync(path, uid, uid);
      return path;
    },
    writeFile(path, content) {
      writeFileSync(path, content);
      if (uid !== undefined) chownSync(path, uid, uid);
    },
    state: (others = []) => stateOf(folder).filter((line) => !others.some((other) => line.startsWith(other))),
    async start({ cwd, env, isEmbedded = false }) {
      const database = process.env.TEST_POSTGRES_URL && !isEmbedded ? 'postgres' : 'embedded';
      const DATABASE_URL = (await serviceDatabase(database)) ?? '';
      const program = await startProgram(testNode, [join(folder, 'bin/server.js')], {
        ...{ cwd, uid },
        env: { ...whole(env), DATABASE_URL },
      });
      started.push(program);
      return program;
    },
    run: (program, args, { cwd, env }) =>
      runCommand(testNode, [join(folder, 'bin', program), ...args], { cwd, env: whole(env), uid }),
    shell: (line, { cwd, env }) => runCommand('/bin/sh', ['-c', line], { cwd, env: whole(env), uid }),
    async remove() {
      await Promise.all(started.map((program) => program.stop()));
      forAll(folder, (path, isFolder) => isFolder && chmodSync(path, 0o755));
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Whether another user can run what is checked out here: undefined, or why not. */
export function whyNotForOthers(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const script = `require('fs').accessSync(${JSON.stringify(join(projectDir, 'node_modules/pg/package.json'))})`;
  const { status } = spawnSync(testNode, ['-e', script], { uid: 65_534, gid: 65_534 });
  return status === 0 ? undefined : 'another user may not read this checkout';
}

function stateOf(folder: string): string[] {
  const lines: string[] = [];
  forAll(folder, (path) => {
    const { mtimeMs, size } = lstatSync(path);
    lines.push(`${path.slice(folder.length + 1)} ${size} ${mtimeMs}`);
  });
  return lines;
}

function forAll(folder: string, act: (path: string, isFolder: boolean) => void): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) forAll(path, act);
    else act(path, false);
  }
  act(folder, true);
}
