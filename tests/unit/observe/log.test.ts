import fs from 'node:fs';
import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Log, ServiceLogLevel } from '../../../lib/log.ts';
import { createLog } from '../../../lib/observe/node-log.ts';

const test = suite('log');

/** The lines that went to stdout, at once and not later, while `work` ran. */
function linesOf(level: ServiceLogLevel, work: (log: Log) => void, isTerminal = false): string[] {
  let written = '';
  const { mock: writing } = mock.method(fs, 'writeSync', (fd: number, text: string) => {
    assert.is(fd, 1);
    written += text;
    return Buffer.byteLength(text);
  });
  try {
    work(createLog(level, isTerminal));
  } finally {
    writing.restore();
  }
  return written.split('\n').slice(0, -1);
}

test('one JSON line per event, written at once: the last words before a crash count', () => {
  const [line, ...more] = linesOf('info', (log) => log.info({ server: 'demo' }, 'connected'));

  const { time, ...rest } = JSON.parse(line ?? '');
  assert.equal(rest, { level: 'info', server: 'demo', msg: 'connected' });
  assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(more, []);
});

test('nothing that a client sends can forge a line or colour a terminal', () => {
  const lines = linesOf('info', (log) => log.info({ client: 'x\nERROR forged \u001b[31m' }, 'a\nb'));

  assert.is(lines.length, 1);
  assert.is(lines[0]?.includes('\u001b'), false);
  assert.is(JSON.parse(lines[0] ?? '').client, 'x\nERROR forged \u001b[31m');
});

test('in a terminal nothing that a server sends is a control sequence', () => {
  const bad = 'x\u001b[2J\u009b31m\u0007';
  const lines = linesOf(
    'info',
    (log) => {
      const error = new Error(bad);
      log.warn(
        { reason: bad, list: [bad], [bad]: { inner: bad }, error, cause: new Error(bad) },
        `msg ${bad}`,
      );
    },
    true,
  );

  const all = lines.join('\n');
  assert.is(all.includes('\u001b[2J'), false);
  assert.is(all.includes('\u009b'), false);
  assert.is(all.includes('\u0007'), false);
  assert.match(all, 'at ');
});

test('an error comes with its type, message and stack', () => {
  const [line] = linesOf('info', (log) => log.error({ error: new TypeError('broken') }, 'internal error'));

  const { level, error } = JSON.parse(line ?? '');
  assert.equal([level, error.type, error.message], ['error', 'TypeError', 'broken']);
  assert.match(error.stack, 'TypeError: broken');
});

test('what is below the level is not written', () => {
  const say = (log: Log) => {
    log.debug({}, 'a');
    log.info({}, 'b');
    log.warn({}, 'c');
  };

  assert.is(linesOf('debug', say).length, 3);
  assert.is(linesOf('warn', say).length, 1);
  assert.is(linesOf('silent', say).length, 0);
});

test.run();
