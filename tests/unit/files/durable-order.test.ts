/** What a power cut leaves is decided by the order of the calls: no test can cut the power, so this one looks at them. */
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { removeFile, replaceFile } from '../../../lib/files/node-durable-file.ts';

const test = suite('the order in which a file is made durable');

const originals = { open: fs.promises.open, rm: fs.promises.rm, renameSync: fs.renameSync };
const calls: string[] = [];
let folder: string;
let path: string;

test.before(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'svc-mcp-order-'));
  path = join(folder, 'a.json');
  fs.promises.open = async (...given) => watched(await originals.open(...given), String(given[0]));
  fs.promises.rm = async (...given) => {
    await originals.rm(...given);
    note('remove', String(given[0]));
  };
  fs.renameSync = (from, to) => {
    originals.renameSync(from, to);
    note('rename', String(from));
  };
  syncBuiltinESMExports();
});
test.before.each(() => {
  calls.length = 0;
});
test.after(() => {
  Object.assign(fs.promises, { open: originals.open, rm: originals.rm });
  fs.renameSync = originals.renameSync;
  syncBuiltinESMExports();
  fs.rmSync(folder, { recursive: true });
});

function note(call: string, at: string): void {
  const name = at === folder ? 'folder' : basename(at) === 'a.json' ? 'file' : 'temporary';
  calls.push(`${call} ${name}`);
}

function watched(handle: FileHandle, at: string): FileHandle {
  const { writeFile, sync } = handle;
  handle.writeFile = async (...given) => {
    await writeFile.apply(handle, given);
    note('write', at);
  };
  handle.sync = async () => {
    await sync.call(handle);
    note('sync', at);
  };
  return handle;
}

test('a replaced one: its content, then its name, then the folder, and only then it is said to be written', async () => {
  await replaceFile(path, 'text');

  assert.equal(calls, ['write temporary', 'sync temporary', 'rename temporary', 'sync folder']);
});

test('a removed one: its name, then the folder', async () => {
  await removeFile(path);

  assert.equal(calls, ['remove file', 'sync folder']);
});

test.run();
