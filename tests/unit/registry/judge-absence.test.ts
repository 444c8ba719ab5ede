import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type FolderContent,
  judgeAbsence,
  storedElsewhere,
} from '../../../lib/registry/reconcile/judge-absence.ts';

const test = suite('config files that are not where they were');

/** A later look into the folder `home`, where `a`, `b` and `c` were seen before. */
function judge(look: Partial<FolderContent>) {
  const seenIn = new Map([...'abc'].map((name) => [name, 'home']));
  const { problem, ...rest } = judgeAbsence({
    ...{ folder: 'home', found: [], gone: [], seenIn, isBoot: false, wereMissed: false },
    ...look,
  });
  return { ...rest, kind: problem?.kind };
}

const nothing = { removed: [], unwritten: [], missed: [], kind: undefined };

test('nothing is gone: nothing to do, whatever folder it is', () => {
  assert.equal(judge({ found: ['a', 'b'] }), nothing);
  assert.equal(judge({ found: ['a', 'b'], folder: 'other' }), nothing);
  assert.equal(judge({ found: [], isBoot: true }), nothing);
});

test('files that are gone from a folder with others in it were removed by hand', () => {
  assert.equal(judge({ found: ['a'], gone: ['b', 'c'] }), { ...nothing, removed: ['b', 'c'] });
  assert.equal(judge({ found: ['a'], gone: ['b'], isBoot: true }), { ...nothing, removed: ['b'] });
});

test('the only file may be removed by hand, but only while the service runs', () => {
  assert.equal(judge({ gone: ['a'] }), { ...nothing, removed: ['a'] });
  assert.equal(judge({ gone: ['a'], isBoot: true }), { ...nothing, missed: ['a'], kind: 'empty' });
});

test('several at once, and none is left: the folder was emptied, and no server is removed', () => {
  assert.equal(judge({ gone: ['a', 'b'] }), { ...nothing, missed: ['a', 'b'], kind: 'empty' });
});

test('a folder that is missing', () => {
  assert.equal(judge({ folder: undefined, gone: ['a'] }), { ...nothing, missed: ['a'], kind: 'missing' });
  assert.equal(judge({ folder: undefined }), nothing);
});

test('another folder lacks what was never in it', () => {
  assert.equal(judge({ folder: 'other', found: ['a'], gone: ['b'] }), {
    ...nothing,
    missed: ['b'],
    kind: 'lacking',
  });
  assert.equal(judge({ folder: 'other', gone: ['b'] }), { ...nothing, missed: ['b'], kind: 'empty' });
});

test('while files are put back one by one the others are still missed', () => {
  assert.equal(judge({ found: ['a'], gone: ['b', 'c'], wereMissed: true }), {
    ...nothing,
    missed: ['b', 'c'],
    kind: 'lacking',
  });
});

test('what was registered while the folder was away is written into it once it is back', () => {
  const seenIn = new Map([
    ['a', 'home'],
    ['new', storedElsewhere],
  ]);

  const look = { seenIn, found: ['a'], gone: ['new'] };
  assert.equal(judge({ ...look, wereMissed: true }), { ...nothing, unwritten: ['new'] });
  assert.equal(judge({ ...look, isBoot: true }), { ...nothing, unwritten: ['new'] });
});

test('nothing is written into a folder that is new', () => {
  const seenIn = new Map([
    ['a', 'home'],
    ['new', storedElsewhere],
  ]);

  assert.equal(judge({ seenIn, folder: 'other', found: ['a'], gone: ['new'] }), {
    ...nothing,
    missed: ['new'],
    kind: 'lacking',
  });
});

test('the sentence says what goes on and what to do, with a few names', () => {
  const gone = [...'abcdefg'];
  const { problem } = judgeAbsence({
    ...{ folder: 'home', found: [], gone, seenIn: new Map(), isBoot: true, wereMissed: false },
  });

  assert.is(
    problem?.sentence,
    'The folder of registration configs (CONFIGS_DIR) is empty and lacks the files of `a`, `b`, `c`, `d`, `e` and 2 more. ' +
      'These servers go on as they were registered: put the files back, or delete the servers that are not wanted any more.',
  );
});

test.run();
