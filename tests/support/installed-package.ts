/**
 * The package as people have it: packed by `npm pack`, installed and run by npm from the tarball, in folders and a cache of
 * its own. No install script runs: what is installed works without. `TEST_NODE` runs npm and the program.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type CommandResult, type RunCommandOptions, runCommand } from './run-command.ts';
import { projectDir, testNode } from './service-command.ts';
import { type StartedProgram, startProgram } from './started-program.ts';

export interface PackageOptions {
  readonly cwd: string;
  /** All that it finds in its environment, but for PATH, npm's settings and an engine that is none. */
  readonly env?: Readonly<Record<string, string>>;
  /** Run as somebody else, where this is root. */
  readonly asOther?: boolean;
}

export interface PackedProgram {
  /** The tarball of this version. */
  readonly tarball: string;
  /** Its files, by path. */
  contents(): ReadonlyMap<string, string>;
  /** The same program as another version. */
  packAs(version: string): string;
  /** A new folder; of the other user with `asOther`. */
  makeFolder(name: string, of?: Pick<PackageOptions, 'asOther'>): string;
  /** Installs a tarball globally and returns the folder with its programs. */
  install(tarball: string, prefix: string): Promise<string>;
  npm(args: readonly string[], options: PackageOptions): Promise<CommandResult>;
  /** The service, as `npm` starts it. */
  npmStart(args: readonly string[], options: PackageOptions): Promise<StartedProgram>;
  run(program: string, args: readonly string[], options: PackageOptions): Promise<CommandResult>;
  start(program: string, args: readonly string[], options: PackageOptions): Promise<StartedProgram>;
  /** A line for a shell, as people paste it. */
  shell(line: string, options: PackageOptions): Promise<CommandResult>;
  remove(): Promise<void>;
}

/** How npm gets out of this machine. */
const network = /^(NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|https?_proxy|no_proxy)$/i;
const networkSettings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => network.test(name)),
);

/** Who owns nothing here. */
const otherUser = 65_534;
const isRoot = process.getuid?.() === 0;

export async function packProgram(): Promise<PackedProgram> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'packed-')));
  chmodSync(base, 0o755);
  const cache = join(base, 'npm-cache');
  const npmCli = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const started: StartedProgram[] = [];

  function makeFolder(name: string, { asOther = false }: Pick<PackageOptions, 'asOther'> = {}): string {
    const path = join(base, name);
    mkdirSync(path, { recursive: true });
    if (asOther && isRoot) chownSync(path, otherUser, otherUser);
    return path;
  }

  function whole({ cwd, env, asOther = false }: PackageOptions): RunCommandOptions {
    // Each user has a cache, for what root has fetched belongs to root.
    const npmSettings = {
      npm_config_cache: asOther ? `${cache}-of-other` : cache,
      npm_config_ignore_scripts: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      npm_config_prefer_offline: 'true',
    };
    const PATH = [dirname(testNode), process.env.PATH].join(delimiter);
    return {
      cwd,
      env: {
        ...{ PATH, DOCKER_HOST: `unix://${base}/no-engine.sock`, ...npmSettings },
        npm_config_registry: registry,
        ...env,
      },
      limitMs: 240_000,
      uid: asOther && isRoot ? otherUser : undefined,
    };
  }

  const wholeOfNpm = (options: PackageOptions): RunCommandOptions => {
    const run = whole(options);
    return { ...run, env: { ...networkSettings, ...run.env } };
  };

  async function pack(folder: string, args: readonly string[] = []): Promise<string> {
    const options = whole({ cwd: folder, env: { HOME: base, npm_config_ignore_scripts: 'false' } });
    const { code, stdout, stderr } = await runCommand(
      testNode,
      [npmCli, 'pack', '--json', '--pack-destination', makeFolder('tarballs'), ...args],
      options,
    );
    if (code !== 0) throw new Error(`npm pack ended with ${code}:\n${stderr}`);
    return join(base, 'tarballs', JSON.parse(stdout.slice(stdout.indexOf('[')))[0].filename);
  }

  function giveCacheToOther(): void {
    if (existsSync(`${cache}-of-other`)) return;
    execFileSync('cp', ['-R', cache, `${cache}-of-other`]);
    if (isRoot) execFileSync('chown', ['-R', `${otherUser}:${otherUser}`, `${cache}-of-other`]);
  }

  const tarball = await pack(projectDir);
  const keep = async (starting: Promise<StartedProgram>) => {
    const program = await starting;
    started.push(program);
    return program;
  };
  return {
    tarball,
    makeFolder,
    contents() {
      const folder = unpack(tarball, makeFolder('contents'));
      const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
        one.isFile(),
      );
      const path = (one: (typeof paths)[number]) => join(one.parentPath, one.name);
      return new Map(
        paths.map((one) => [path(one).slice(folder.length + 1), readFileSync(path(one), 'utf8')]),
      );
    },
    packAs(version) {
      const folder = unpack(tarball, makeFolder(version));
      const path = join(folder, 'package.json');
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }));
      const made = join(base, 'tarballs', `svc-mcp-${version}.tgz`);
      execFileSync('tar', ['-czf', made, '-C', dirname(folder), 'package']);
      return made;
    },
    async install(file, prefix) {
      const options = wholeOfNpm({ cwd: base, env: { HOME: base } });
      const args = [npmCli, 'install', '--global', '--prefix', prefix, file];
      const { code, stderr } = await runCommand(testNode, args, options);
      if (code !== 0) throw new Error(`npm install ended with ${code}:\n${stderr}`);
      giveCacheToOther();
      return join(prefix, 'bin');
    },
    npm: (args, options) => runCommand(testNode, [npmCli, ...args], wholeOfNpm(options)),
    npmStart: (args, options) => keep(startProgram(testNode, [npmCli, ...args], wholeOfNpm(options))),
    run: (program, args, options) => runCommand(program, args, whole(options)),
    start: (program, args, options) => keep(startProgram(program, args, whole(options))),
    shell: (line, options) => runCommand('/bin/sh', ['-c', line], whole(options)),
    async remove() {
      await Promise.all(started.map((program) => program.stop()));
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function unpack(tarball: string, folder: string): string {
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package');
}
