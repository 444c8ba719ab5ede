import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPullProgress, type PullEvent } from '../../../lib/containers/docker/pull-progress.ts';

const test = suite('the progress of a pull');

function play(events: readonly PullEvent[]) {
  const take = createPullProgress();
  return events.flatMap((event) => take(event) ?? []);
}

const begin = (id: string): PullEvent => ({ status: 'Pulling fs layer', id });
const download = (id: string, current: number, total: number): PullEvent => ({
  status: 'Downloading',
  id,
  progressDetail: { current, total },
});
const extract = (id: string, current: number, total: number): PullEvent => ({
  status: 'Extracting',
  id,
  progressDetail: { current, total },
});
const done = (id: string): PullEvent => ({ status: 'Pull complete', id });

test('has no figure while no layer has told its size', () => {
  assert.equal(play([{ status: 'Pulling from mcp/x', id: '1' }, begin('a'), begin('b')]).at(-1), {
    percent: undefined,
    layers: { done: 0, total: 2 },
  });
});

test('counts a downloaded layer half, and weighs layers by their size', () => {
  const events = [begin('a'), begin('b'), download('a', 300, 300), download('b', 0, 100)];

  assert.is(play(events).at(-1)?.percent, 37);
  assert.is(play([...events, { status: 'Download complete', id: 'b' }]).at(-1)?.percent, 50);
  assert.is(play([...events, extract('a', 150, 300)]).at(-1)?.percent, 56);
});

test('ends at 100 when all layers are there, those from before included', () => {
  const events: PullEvent[] = [
    { status: 'Already exists', id: 'base' },
    begin('a'),
    download('a', 5, 10),
    done('a'),
  ];

  assert.equal(play(events).at(-1), { percent: 100, layers: { done: 2, total: 2 } });
});

test('copes with layers so small that they are never seen downloading', () => {
  assert.equal(
    play([begin('a'), begin('b'), done('a'), done('b')]).map(({ percent }) => percent),
    [undefined, undefined, 50, 100],
  );
});

test('never goes back, though a layer whose size is told late makes the rest larger', () => {
  const percents = play([begin('a'), begin('b'), download('a', 90, 100), download('b', 1, 1_000_000)]).map(
    ({ percent }) => percent ?? 0,
  );

  assert.equal(
    percents,
    [...percents].sort((a, b) => a - b),
  );
});

test('says nothing when nothing moved', () => {
  const take = createPullProgress();
  take(begin('a'));
  take(download('a', 10, 100));

  assert.is(take(download('a', 10, 100)), undefined);
  assert.is(take({ status: 'Digest: sha256:0' }), undefined);
  assert.is(take({ error: 'no such blob' }), undefined);
});

test('is not led astray by sizes that make no sense', () => {
  const percents = play([begin('a'), download('a', 500, 100), download('a', 5, 0), extract('a', 5, -1)]);

  assert.is(percents.at(-1)?.percent, 50);
});

test.run();
