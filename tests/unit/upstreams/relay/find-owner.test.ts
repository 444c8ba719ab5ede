import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createFindOwner } from '../../../../lib/upstreams/relay/find-owner.ts';
import type { RelayOwner } from '../../../../lib/upstreams/relay/remote-upstreams.ts';

const test = suite('finding the owner of the containers');

const first: RelayOwner = { url: 'http://one:3701', token: 'a' };
const second: RelayOwner = { url: 'http://two:3701', token: 'b' };

function world(owner: RelayOwner | undefined) {
  const state = { owner, now: 0, reads: 0, isAway: false };
  const find = createFindOwner({
    async read() {
      state.reads += 1;
      if (state.isAway) throw new Error('The database is away.');
      return state.owner;
    },
    now: () => state.now,
  });
  return { state, find };
}

test('it is read once for all calls, and kept without a read for a while', async () => {
  const { state, find } = world(first);

  assert.equal(await Promise.all([find(), find()]), [first, first]);
  state.now += 4_999;

  assert.equal(await find(), first);
  assert.is(state.reads, 1);
});

test('after that it is read behind a call, and another one is known from the next call on', async () => {
  const { state, find } = world(first);
  await find();
  state.owner = second;
  state.now += 5_000;

  assert.equal(await find(), first);
  await setImmediate();

  assert.equal(await find(), second);
  assert.is(state.reads, 2);
});

test('one that answers stays known, though it is gone from the database', async () => {
  const { state, find } = world(first);
  await find();
  state.owner = undefined;
  state.now += 5_000;
  await find();
  await setImmediate();

  assert.equal(await find(), first);
  assert.is(await find(first), undefined);
  assert.is(await find(), undefined);
});

test('one that was of no use is looked up again', async () => {
  const { state, find } = world(first);
  await find();
  state.owner = second;

  assert.equal(await find(first), second);
  assert.equal(await find(), second);
});

test('one that is of no use and still the owner is as good as none', async () => {
  const { find } = world(first);
  await find();

  assert.is(await find(first), undefined);
});

test('one that came back with another token is another one', async () => {
  const { state, find } = world(first);
  await find();
  state.owner = { ...first, token: 'new' };

  assert.equal(await find(first), state.owner);
});

test('when there is none it looks again soon, but not for every call', async () => {
  const { state, find } = world(undefined);
  await find();
  await find();
  assert.is(state.reads, 1);

  state.now += 250;
  state.owner = first;

  assert.equal(await find(), first);
});

test('while the database is away the one that was known may still be it', async () => {
  const { state, find } = world(first);
  await find();
  state.isAway = true;

  assert.equal(await find(second), first);
});

test.run();
