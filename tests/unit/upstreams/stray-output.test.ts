import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { strayLine, strayText } from '../../../lib/upstreams/transports/stdio/stray-output.ts';

const test = suite('standard output that is no protocol');

for (const text of [
  'Listening on port 3001',
  '[INFO] ready',
  '{"level":30,"msg":"ready"}',
  '[{"level":30}]',
  '7',
]) {
  test(`is shown, marked: ${text}`, () => {
    assert.is(strayLine(`${text}\r`), `[stdout] ${text}`);
    assert.is(strayText(`[stdout] ${text}`), text);
  });
}

for (const [what, text] of [
  ['an answer', '{"jsonrpc":"2.0","id":1,"result":{"text":"private"}}'],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"result":{"text":"private"}}]'],
  ['a message after text', 'Loading… {"jsonrpc":"2.0","id":1,"result":{}}'],
  ['a message without its version', '{"id":1,"result":{"text":"private"}}'],
  ['a batch without versions', '[{"level":30},{"id":1,"result":{"text":"private"}}]'],
  ['a message that was cut off', '{"result":{"content":[{"type":"text","text":"priv'],
  ['the end of a message', 'ate"}]},"jsonrpc":"2.0","id":1}'],
  ['a long line', 'x'.repeat(20_000)],
  ['nothing', ' \r'],
] as const) {
  test(`is not shown when it may be of the protocol: ${what}`, () => {
    assert.is(strayLine(text), undefined);
  });
}

test('is not shown when it may be the rest of a message', () => {
  assert.is(strayLine('private"}]}}', true), undefined);
  assert.is(strayLine('Listening on port 3001', true), '[stdout] Listening on port 3001');
});

test('is told from what a server wrote elsewhere', () => {
  assert.is(strayText('Listening on port 3001'), undefined);
});

test.run();
