import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDemux } from '../../../lib/streams/demux.ts';

const test = suite('demux');

const stdout = 1;
const stderr = 2;

function frame(stream: number, payload: Uint8Array | string): Buffer {
  const body = Buffer.from(payload);
  const header = Buffer.alloc(8);
  header.writeUInt8(stream, 0);
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

function collect() {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  let nonsense = 0;
  const take = createDemux({
    onStdout: (part) => out.push(part),
    onStderr: (part) => err.push(part),
    onMalformed: () => nonsense++,
  });
  return { take, out: () => Buffer.concat(out), err: () => Buffer.concat(err), nonsense: () => nonsense };
}

test('tells stdout and stderr apart, whatever else is in the same chunk', () => {
  const { take, out, err } = collect();

  take(
    Buffer.concat([frame(stdout, 'one'), frame(stderr, 'two'), frame(stdout, ''), frame(stdout, 'three')]),
  );

  assert.is(out().toString(), 'onethree');
  assert.is(err().toString(), 'two');
});

test('puts frames together that arrive byte by byte', () => {
  const { take, out, err } = collect();

  for (const byte of Buffer.concat([frame(stdout, 'héllo'), frame(stderr, 'x'), frame(stdout, '!')])) {
    take(Uint8Array.of(byte));
  }

  assert.is(out().toString(), 'héllo!');
  assert.is(err().toString(), 'x');
});

test('hands on a huge frame in parts, without waiting for its end', () => {
  const { take, out } = collect();
  const whole = frame(stdout, Buffer.alloc(20_000_000, 'a'));

  take(whole.subarray(0, 1_000_008));
  assert.is(out().length, 1_000_000);
  take(whole.subarray(1_000_008));

  assert.is(out().length, 20_000_000);
});

test('costs no more for 200,000 small frames in one chunk than for their bytes', () => {
  const { take, out } = collect();
  const chunk = Buffer.concat(Array.from({ length: 200_000 }, () => frame(stdout, 'a short line\n')));

  const startedAt = performance.now();
  take(chunk);

  assert.is(out().length, 200_000 * 13);
  // One that copies the rest of its chunk for each frame needs minutes.
  assert.ok(performance.now() - startedAt < 2000);
});

test('passes over what the engine repeats of stdin', () => {
  const { take, out, err } = collect();

  take(Buffer.concat([frame(0, 'typed'), frame(stdout, 'answer')]));

  assert.is(out().toString(), 'answer');
  assert.is(err().length, 0);
});

test('gives up on a stream that is not multiplexed, once', () => {
  const { take, out, nonsense } = collect();

  take(Buffer.from('plain text of a terminal'));
  take(frame(stdout, 'more'));

  assert.is(nonsense(), 1);
  assert.is(out().length, 0);
});

test.run();
