import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../lib/failure.ts';
import { replaceFile } from '../../../lib/files/node-durable-file.ts';
import { createGroupFolder, flip, type GroupFolder } from './group-folder.ts';

const test = suite<{ folder: GroupFolder }>('group files: a disk that refuses');

test.before.each(async (context) => {
  context.folder = await createGroupFolder();
});
test.after.each((context) => context.folder.close());

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof Failure)) throw new Error('It did not fail on purpose.', { cause: error });
  return error;
}

/** A store whose next writes fail with `code`, on a folder with a default group. */
async function openFailing(folder: GroupFolder) {
  const disk: { code: string | undefined } = { code: undefined };
  const replace: typeof replaceFile = async (path, text, expected) => {
    if (disk.code) throw Object.assign(new Error(`refused ${path}`), { code: disk.code });
    return replaceFile(path, text, expected);
  };
  return { disk, ...(await folder.open({ replace })) };
}

test('a full disk is 507, changes neither file nor memory, and heals by itself', async ({ folder }) => {
  const { disk, groups } = await openFailing(folder);
  const before = await folder.text('default');
  disk.code = 'ENOSPC';
  const failure = await failureOf(groups.change('default', flip('a__1')));

  assert.equal([failure.code, failure.status], ['storage_failed', 507]);
  assert.is(await folder.text('default'), before);
  assert.equal(groups.read('default')?.group?.includedTools, []);
  disk.code = undefined;
  assert.equal((await groups.change('default', flip('a__1'))).includedTools, ['a__1']);
});

test('another refusal is 500, and no path is told', async ({ folder }) => {
  const { disk, groups } = await openFailing(folder);
  disk.code = 'EIO';
  const failure = await failureOf(groups.change('default', flip('a__1')));

  assert.equal([failure.code, failure.status], ['storage_failed', 500]);
  assert.not.match(failure.message, folder.directory);
});

test('all edits of a batch whose write fails hear of it', async ({ folder }) => {
  const { disk, groups } = await openFailing(folder);
  disk.code = 'EDQUOT';
  const failures = await Promise.all(
    [1, 2, 3].map((at) => failureOf(groups.change('default', flip(`a__${at}`)))),
  );

  assert.equal(
    failures.map((failure) => failure.status),
    [507, 507, 507],
  );
});

test.run();
