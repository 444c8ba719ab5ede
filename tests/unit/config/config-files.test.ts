import { execFileSync } from 'node:child_process';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConfigFile, printConfigFile } from '../../../lib/config/config-files.ts';
import { createConfigFiles } from '../../../lib/config/node-config-files.ts';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { toReference } from '../../../lib/config/references.ts';
import { Failure } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { mountReadOnly } from '../../support/read-only-mount.ts';
import { createSwappedFolder } from '../../support/swapped-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('the folder of config files');

const demo = parseServerConfig({ name: 'demo', transport: 'stdio', command: 'a' });
const demoText = '{\n  "name": "demo",\n  "transport": "stdio",\n  "command": "a"\n}\n';

let root: string;
let directory: string;
let closers: (() => void)[] = [];
test.before.each(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-mcp-configs-'));
  directory = join(root, 'configs');
});
test.after.each(async () => {
  for (const close of closers) close();
  closers = [];
  await rm(root, { recursive: true, force: true });
});

/** Status, sentence and details of a refusal with `config_read_only`. */
async function refusalOf(work: Promise<unknown>) {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof Failure)) throw new Error('It did not fail on purpose.', { cause: error });
  assert.is(error.code, 'config_read_only');
  return [error.status, error.message, error.details] as const;
}

const problemOf = (file: ConfigFile | undefined) => (file && 'problem' in file ? file.problem : undefined);

test('a missing folder is told apart from an empty one', async () => {
  const files = createConfigFiles({ directory, log: silentLog });

  assert.is(await files.readAll(), undefined);
  await files.createFolder();
  assert.is((await files.readAll())?.size, 0);
});

test('a written config reads back, and nothing but the file is left', async () => {
  const files = createConfigFiles({ directory, log: silentLog });

  await files.write(demo);

  assert.is(await readFile(join(directory, 'demo.json'), 'utf8'), demoText);
  assert.equal(await files.readAll(), new Map([['demo', { config: demo }]]));
  assert.equal(await readdir(directory), ['demo.json']);
});

test("a config without a call time-out has the service's", async () => {
  const files = createConfigFiles({ directory, log: silentLog, callTimeoutMs: 1_234 });
  await files.write(demo);
  const file = (await files.readAll())?.get('demo');

  assert.is(file && 'config' in file && file.config.timeouts.callMs, 1_234);
  assert.is(await readFile(join(directory, 'demo.json'), 'utf8'), demoText);
});

test('each change can be taken back, byte for byte', async () => {
  const files = createConfigFiles({ directory, log: silentLog });
  await mkdir(directory);
  await writeFile(join(directory, 'demo.json'), 'as it was');

  const undoReplace = await files.write(demo);
  await undoReplace();
  assert.is(await readFile(join(directory, 'demo.json'), 'utf8'), 'as it was');

  const undoRemove = await files.remove('demo');
  assert.equal(await readdir(directory), []);
  await undoRemove();
  assert.is(await readFile(join(directory, 'demo.json'), 'utf8'), 'as it was');

  await files.remove('demo');
  const undoCreate = await files.write(demo);
  await undoCreate();
  assert.equal(await readdir(directory), []);
});

test('pipes, links, folders, huge files and broken text are problems, and none is waited for', async () => {
  const files = createConfigFiles({ directory, log: silentLog });
  await mkdir(join(directory, 'folder.json'), { recursive: true });
  await symlink('/dev/zero', join(directory, 'link.json'));
  execFileSync('mkfifo', [join(directory, 'pipe.json')]);
  await writeFile(join(directory, 'huge.json'), '{');
  await truncate(join(directory, 'huge.json'), 5 * 1024 * 1024);
  await writeFile(join(directory, 'latin.json'), Buffer.from([0x22, 0xe9, 0x22]));
  await writeFile(join(directory, 'deep.json'), '['.repeat(100_000));

  const found = await files.readAll();

  assert.is(problemOf(found?.get('folder')), 'It is not a regular file.');
  assert.is(
    problemOf(found?.get('link')),
    'It is a link that leads out of its folder; such links are not followed.',
  );
  assert.is(problemOf(found?.get('pipe')), 'It is not a regular file.');
  assert.is(problemOf(found?.get('huge')), 'The file is larger than 4 MiB.');
  assert.is(problemOf(found?.get('latin')), 'The file is not valid UTF-8.');
  assert.match(problemOf(found?.get('deep')) ?? '', 'nests deeper');
});

test('a folder that is taken away while it is read takes no file away', async () => {
  const files = createConfigFiles({ directory, log: silentLog });
  for (let at = 0; at < 30; at++) await files.write({ ...demo, name: `demo${at}` });
  const seen: (number | undefined)[] = [];
  let isReading = true;
  const reading = (async () => {
    while (isReading) seen.push((await files.readAll())?.size);
  })();

  for (let at = 0; at < 100; at++) {
    await rename(directory, `${directory}-away`);
    await rename(`${directory}-away`, directory);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
  }
  isReading = false;
  await reading;

  assert.equal(
    seen.filter((size) => size !== undefined && size !== 30),
    [],
  );
});

test("hidden files and other endings are nobody's config", async () => {
  const files = createConfigFiles({ directory, log: silentLog });
  await mkdir(directory);
  await writeFile(join(directory, '.demo.json'), '{}');
  await writeFile(join(directory, 'demo.json~'), '{}');
  await writeFile(join(directory, 'readme.md'), '');

  assert.is((await files.readAll())?.size, 0);
});

test('a link is not written through', async () => {
  const files = createConfigFiles({ directory, log: silentLog });
  await mkdir(directory);
  await writeFile(join(root, 'elsewhere'), 'untouched');
  await symlink(join(root, 'elsewhere'), join(directory, 'demo.json'));

  const error = await files.write(demo).catch((reason: unknown) => reason);

  assert.instance(error, Failure);
  assert.is((error as Failure).code, 'storage_failed');
  assert.is(await readFile(join(root, 'elsewhere'), 'utf8'), 'untouched');
});

test('a link to a file of the folder is read, and neither replaced nor removed', async () => {
  createSwappedFolder(directory, { 'demo.json': demoText });
  const files = createConfigFiles({ directory, log: silentLog });
  assert.equal(await files.readAll(), new Map([['demo', { config: demo }]]));
  const changed = parseServerConfig({
    name: 'demo',
    transport: 'stdio',
    command: 'b',
    env: { KEY: toReference('DEMO__KEY') },
  });

  const refused = await Promise.all([
    refusalOf(files.assertWritable('demo', changed, ['DEMO__KEY'])),
    refusalOf(files.write(changed)),
    refusalOf(files.assertWritable('demo')),
    refusalOf(files.remove('demo')),
  ]);

  const text = printConfigFile(changed);
  const put =
    'The config file of server `demo` is managed elsewhere: put `demo.json` there with the text given here';
  const remove = 'The config file of server `demo` is managed elsewhere: delete `demo.json` there.';
  assert.equal(refused, [
    [
      409,
      `${put}, and a value for \`DEMO__KEY\` into the secrets.`,
      { file: 'demo.json', text, secrets: ['DEMO__KEY'] },
    ],
    [409, `${put}.`, { file: 'demo.json', text, secrets: [] }],
    [409, remove, { file: 'demo.json' }],
    [409, remove, { file: 'demo.json' }],
  ]);
  assert.ok((await lstat(join(directory, 'demo.json'))).isSymbolicLink());
  assert.is(await readFile(join(directory, 'demo.json'), 'utf8'), demoText);
});

test('a folder that is mounted read-only refuses every config with its text', async () => {
  await mkdir(directory);
  const unmount = mountReadOnly(directory);
  if (unmount === undefined) return;
  try {
    const files = createConfigFiles({ directory, log: silentLog });
    const [status, , details] = await refusalOf(files.assertWritable('demo', demo));

    assert.equal([status, details], [409, { file: 'demo.json', text: demoText, secrets: [] }]);
    // Nothing is there to be removed.
    await files.assertWritable('demo');
    await files.remove('demo');
  } finally {
    unmount();
  }
});

test('a new version of the folder is noticed within a second', async () => {
  const swapped = createSwappedFolder(directory, { 'demo.json': demoText });
  const files = createConfigFiles({ directory, log: silentLog });
  let noticed = 0;
  const watch = await files.watch(() => {
    noticed++;
  });
  closers.push(() => watch.close());
  for (let at = 1; at <= 3; at++) {
    const before = noticed;
    swapped.swap({ 'demo.json': demoText });
    await waitUntil('it is noticed', () => noticed > before, { limitMs: 1_000, everyMs: 5 });
  }
});

test('what a killed writer left behind goes with the next write', async () => {
  const files = createConfigFiles({ directory, log: silentLog });
  await mkdir(directory);
  const leftover = join(directory, 'demo.json.0123456789ab.tmp');
  await writeFile(leftover, 'half');
  await utimes(leftover, new Date(0), new Date(0));

  await files.write(demo);

  assert.equal(await readdir(directory), ['demo.json']);
});

test('changes are noticed: created, edited in place, replaced, removed', async () => {
  const files = createConfigFiles({ directory, log: silentLog });
  await files.createFolder();
  let noticed = 0;
  const watch = await files.watch(() => {
    noticed++;
  });
  closers.push(watch.close);
  const path = join(directory, 'demo.json');

  for (const change of [
    () => writeFile(path, '{}'),
    () => writeFile(path, '{ }'),
    () => files.write(demo),
    () => files.remove('demo'),
  ]) {
    const before = noticed;
    await change();
    await waitUntil('the change is noticed', () => noticed > before, { limitMs: 1_000 });
    // Several events of one change must be over before the next one is made.
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
});

test.run();
