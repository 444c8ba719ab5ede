import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogLines } from '../../../lib/upstreams/transports/log-lines.ts';

const test = suite('log lines of a server');

test('a line is kept once it is complete', () => {
  const lines = createLogLines();
  const { write } = lines.writer();

  write('one\r\ntw');
  assert.equal(lines.tail(10), ['one']);
  write('o\nthree');

  assert.equal(lines.tail(10), ['one', 'two']);
});

test('only the last thousand lines are kept', () => {
  const lines = createLogLines();
  const { write } = lines.writer();

  for (let n = 0; n < 5000; n++) write(`${n}\n`);

  assert.is(lines.tail(5000).length, 1000);
  assert.is(lines.tail(5000)[0], '4000');
  assert.equal(lines.tail(2), ['4998', '4999']);
  assert.equal(lines.tail(0), []);
});

test('an overlong line is cut, in one piece or in many', () => {
  const lines = createLogLines();
  const { write } = lines.writer();

  write(`${'a'.repeat(10_000)}\n`);
  for (let n = 0; n < 100; n++) write('b'.repeat(1000));
  write('end\nnext\n');

  assert.equal(
    lines.tail(10).map((line) => [line[0], line.length]),
    [
      ['a', 4096],
      ['b', 4096],
      ['n', 4],
    ],
  );
});

test('hidden values do not show, whichever way they came', () => {
  const lines = createLogLines();
  const { write } = lines.writer();
  lines.hide(['hunter2', 'on']);

  write('password hun');
  write('ter2 is on\n');

  assert.equal(lines.tail(1), ['password *** is on']);
});

test('a hidden value longer than a line does not show where an overlong line is cut', () => {
  const lines = createLogLines();
  const { write } = lines.writer();
  const value = 'secret'.repeat(2000);
  lines.hide([value]);

  write(`${'a'.repeat(4000)}${value.slice(0, 3000)}`);
  write(`${value.slice(3000)} end\n`);

  assert.equal(lines.tail(1), [`${'a'.repeat(4000)}*** end`]);
});

test('control and bidirectional characters are escaped, tabs and other languages are not', () => {
  const lines = createLogLines();
  const { write } = lines.writer();

  write('\u001b]0;title\u0007\tgrüße 日本 \u2066x\u0085\n');

  assert.equal(lines.tail(1), ['\\x1b]0;title\\x07\tgrüße 日本 \\u2066x\\x85']);
});

test('what is cut off within a hidden value shows nothing of it, however much shorter the line has become', () => {
  const value = Array.from({ length: 3000 }, (_, at) =>
    String.fromCharCode(97 + ((at * 7 + (at >> 5)) % 26)),
  ).join('');
  const cut = `${value.repeat(2)}${value.slice(0, 1500)}`;
  const [whole, inPieces] = [createLogLines(), createLogLines()];
  for (const lines of [whole, inPieces]) lines.hide([value]);

  // As the reader of an engine's log cuts it, and as it comes.
  whole.add(cut);
  inPieces.writer().write(cut);

  assert.equal([...whole.tail(2), ...inPieces.tail(2)], ['*********', '*********']);
});

test('what has no line end is a line once nothing follows, and the next writer begins its own', () => {
  const lines = createLogLines();
  const [first, second] = [lines.writer(), lines.writer()];
  lines.hide(['hunter2-hunter2']);

  first.write('Enter your key: ');
  second.write('with hunter2-hun');
  first.write('\n');
  first.write('Enter it again: ');
  first.end();
  first.end();
  second.end();

  assert.equal(lines.tail(9), ['Enter your key: ', 'Enter it again: ', 'with ***']);
});

test.run();
