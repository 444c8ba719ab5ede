import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createBoundedStream } from '../../../lib/streams/bounded-stream.ts';
import { encodedPieces, largeText } from '../../../lib/streams/encoded-pieces.ts';
import { lastEvent } from '../../../lib/streams/event-stream-text.ts';

const test = suite('long texts in pieces');

test('the pieces together are the text, and characters stay whole', () => {
  const unit = fc.constantFrom('x', 'é', '漢', '🙂');
  fc.assert(
    fc.property(fc.array(unit), fc.nat(3), unit, (start, shift, filling) => {
      const text = `${start.join('')}${'y'.repeat(shift)}${filling.repeat(largeText / 2 + 10)}`;
      const bytes = Buffer.concat([...encodedPieces('a', text, '', 'b')]);
      assert.is(bytes.toString(), `a${text}b`);
    }),
    { numRuns: 30 },
  );
});

test('a stream ends with all of its pieces, and with none once nobody reads it', async () => {
  const text = '🙂'.repeat(largeText);
  const stream = createBoundedStream();
  stream.write(Buffer.from('begun '));
  assert.ok(stream.end(encodedPieces(text)));
  assert.not.ok(stream.end(encodedPieces(text)));
  assert.is(await new Response(stream.body).text(), `begun ${text}`);

  const left = createBoundedStream();
  left.end(encodedPieces(text));
  const reader = left.body.getReader();
  await reader.read();
  await reader.cancel();
  assert.ok((await reader.read()).done);
});

test('a long last event is on one line', async () => {
  const stream = createBoundedStream();
  const message = `{\r\n"a":"${'é'.repeat(largeText)}"\n}`;
  stream.end(lastEvent(message, '7'));

  const expected = `id: 7\nevent: message\ndata: {  "a":"${'é'.repeat(largeText)}" }\n\n`;
  assert.is(await new Response(stream.body).text(), expected);
});

test.run();
