/**
 * Images of the names that stacks are made of, for machines that reach no container registry: `node:24-slim` with
 * Node 24 from npm and a filled npm cache, `postgres:15` and `haproxy:2.6` from Debian's packages. An image of such a name that is
 * already there and is not one of ours is used as it is, and never replaced or removed.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPostgres } from '../../scripts/postgres-cluster.ts';
import { projectDir } from '../support/service-command.ts';
import { createRootFolder, type RootFolder } from './root-folder.ts';

const run = promisify(execFile);
const label = 'svc-mcp.stand-in';
const postgresBin = '/usr/lib/postgresql/15/bin';

/** Each fills the root folder of its image and returns what the image is configured with, as Dockerfile lines. */
const standIns = {
  'node:24-slim': makeNode,
  'postgres:15': makePostgres,
  'haproxy:2.6': makeHaproxy,
} as const satisfies Readonly<Record<string, (scratch: string) => Promise<readonly string[]>>>;

type StandIn = keyof typeof standIns;

/** Makes those that are missing; resolves with what takes them away again. */
export async function addStandInImages(
  names: readonly StandIn[] = ['node:24-slim', 'postgres:15'],
): Promise<() => Promise<void>> {
  for (const name of names) {
    if (!(await imageExists(name))) await importImage(name, standIns[name]);
  }
  return removeStandIns;
}

async function removeStandIns(): Promise<void> {
  for (const name of Object.keys(standIns)) {
    if (await isStandIn(name)) await run('docker', ['rmi', name]);
  }
  // What was built on them carries their label: the layers that the engine keeps to build faster.
  await run('docker', ['image', 'prune', '--force', '--filter', `label=${label}`]);
}

async function importImage(
  name: string,
  make: (scratch: string) => Promise<readonly string[]>,
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'svc-mcp-stand-in-'));
  try {
    const configuration = await make(scratch);
    const archive = join(scratch, 'root.tar');
    await run('tar', [
      '--numeric-owner',
      '--owner=0',
      '--group=0',
      '-C',
      join(scratch, 'root'),
      '-cf',
      archive,
      '.',
    ]);
    const changes = [...configuration, `LABEL ${label}=1`].flatMap((line) => ['--change', line]);
    await run('docker', ['import', ...changes, archive, name]);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function makeNode(scratch: string): Promise<readonly string[]> {
  const root = createRootFolder(join(scratch, 'root'), { node: 1000 });
  const npm = join(scratch, 'npm');
  await mkdir(npm);
  await run('npm', [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--prefix',
    npm,
    `node-linux-${process.arch}@24`,
  ]);
  root.addProgram(join(npm, `node_modules/node-linux-${process.arch}/bin/node`), '/usr/local/bin/node');
  const { stdout } = await run('npm', ['root', '--global']);
  root.addFolder(join(stdout.trim(), 'npm'), '/usr/local/lib/node_modules/npm');
  const cli = '/usr/local/lib/node_modules/npm/bin/npm-cli.js';
  root.write('/usr/local/bin/npm', `#!/bin/sh\nexec node ${cli} "$@"\n`, 0o755);
  await addNpmCache(root, scratch);
  return ['ENV PATH=/usr/local/bin:/usr/bin:/bin', 'CMD ["node"]'];
}

/** So that `npm ci` works in a build that reaches nothing: it is done once out here, into the image's cache. */
async function addNpmCache(root: RootFolder, scratch: string): Promise<void> {
  const project = join(scratch, 'project');
  await mkdir(project);
  for (const file of ['package.json', 'package-lock.json'])
    await cp(join(projectDir, file), join(project, file));
  const cache = join(root.path, 'var/cache/npm');
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--cache', cache, '--prefix', project]);
  const { stdout } = await run('npm', ['config', 'get', 'registry']);
  const settings = [
    'offline=true',
    'cache=/var/cache/npm',
    `registry=${stdout.trim()}`,
    'update-notifier=false',
  ];
  root.write('/usr/local/etc/npmrc', `${settings.join('\n')}\n`);
}

async function makePostgres(scratch: string): Promise<readonly string[]> {
  const isInstalled = await run(`${postgresBin}/postgres`, ['--version']).then(
    () => true,
    () => false,
  );
  if (!isInstalled) await installPostgres();
  const root = createRootFolder(join(scratch, 'root'), { postgres: 999 });
  for (const program of ['initdb', 'pg_isready', 'postgres', 'psql'])
    root.addProgram(`${postgresBin}/${program}`);
  // The compiler that is left out only makes long queries faster; its libraries weigh more than everything else.
  root.addFolder('/usr/lib/postgresql/15/lib', undefined, /bitcode|llvm/);
  root.addFolder('/usr/share/postgresql/15', undefined, /\/man(\/|$)/);
  root.addFolder('/usr/share/zoneinfo');
  const entrypoint = await readFile(new URL('postgres-entrypoint.sh', import.meta.url), 'utf8');
  root.write('/usr/local/bin/entrypoint.sh', entrypoint, 0o755);
  await mkdir(join(root.path, 'var/lib/postgresql/data'), { recursive: true });
  return [
    `ENV PATH=${postgresBin}:/usr/bin:/bin`,
    'ENV PGDATA=/var/lib/postgresql/data',
    'VOLUME /var/lib/postgresql/data',
    'EXPOSE 5432',
    'ENTRYPOINT ["/usr/local/bin/entrypoint.sh"]',
  ];
}

/** As the real image: the program runs in the foreground with the file at its place, and ends softly. */
async function makeHaproxy(scratch: string): Promise<readonly string[]> {
  const program = '/usr/sbin/haproxy';
  const isInstalled = await run(program, ['-v']).then(
    () => true,
    () => false,
  );
  if (!isInstalled) await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'haproxy']);
  const root = createRootFolder(join(scratch, 'root'), { haproxy: 99 });
  root.addProgram(program);
  return [
    'ENV PATH=/usr/sbin:/usr/bin:/bin',
    'USER haproxy',
    'CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]',
  ];
}

async function imageExists(name: string): Promise<boolean> {
  return run('docker', ['image', 'inspect', name]).then(
    () => true,
    () => false,
  );
}

async function isStandIn(name: string): Promise<boolean> {
  const format = `{{ index .Config.Labels "${label}" }}`;
  const { stdout } = await run('docker', ['image', 'inspect', '--format', format, name]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim() === '1';
}
