import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createBoundedStream } from '../../../lib/streams/bounded-stream.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('a bounded stream');
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('holds nothing for a reader who left, although its writer still holds the stream', async () => {
  const stream = createBoundedStream();
  const waiting = writeSome();

  await stream.body.cancel();

  await waitUntil('the bytes are gone', () => {
    collectGarbage();
    return waiting.deref() === undefined;
  });
  assert.is(stream.write(new Uint8Array(1)), false);

  function writeSome(): WeakRef<Uint8Array> {
    const bytes = new Uint8Array(1_000);
    stream.write(bytes);
    return new WeakRef(bytes);
  }
});

test.run();
