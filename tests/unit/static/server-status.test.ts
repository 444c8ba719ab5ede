import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  callsText,
  problemsText,
  statusOf,
  troubleOf,
  uptimeText,
} from '../../../static/server-state/server-status.js';
import { appendLines, emptyLog, pauseLog, resumeLog } from '../../../static/servers/log-buffer.js';

const test = suite('servers as the dashboard tells of them');
type ServerRecord = Parameters<typeof statusOf>[0];
const server = (patch: Partial<ServerRecord>): ServerRecord => ({
  ...{ name: 's', description: '', status: 'connected', running: true },
  ...{ tool_count: 1, calls: 0, errors: 0, in_flight: 0 },
  ...patch,
});

test('problems of definitions are counted, those that are not named among them', () => {
  assert.is(problemsText(server({})) || '', '');
  assert.is(problemsText(server({ problems: [] })) || '', '');
  assert.is(
    problemsText(server({ problems: ['The tool "x" was left out: …'] })),
    '1 problem in its definitions',
  );
  const many = [...Array.from({ length: 20 }, (_, at) => `The tool "${at}" …`), 'And 12 more.'];
  assert.is(problemsText(server({ problems: many })), '32 problems in its definitions');
});

test('a status has a word and a colour, and a new one its own word', () => {
  assert.equal(statusOf(server({})), { kind: 'good', word: 'Connected' });
  assert.equal(statusOf(server({ status: 'failed' })), { kind: 'bad', word: 'Failed' });
  assert.equal(statusOf(server({ status: 'hibernating' as ServerRecord['status'] })), {
    kind: 'quiet',
    word: 'hibernating',
  });
});

test('missing variables and a broken config file are said before anything else', () => {
  const broken = server({ status: 'failed', missing_variables: ['KEY'], problem: 'It is not JSON.' });

  assert.is(statusOf(broken).word, 'Config broken');
  assert.is(troubleOf(broken), 'It is not JSON.');
  assert.is(troubleOf(server({ missing_variables: ['KEY'], last_error: 'x' })), 'No value for KEY');
});

test('a server that goes on as it was is not broken', () => {
  const kept = server({ status: 'running', problem: 'Its changed config needs another container.' });

  assert.equal(statusOf(kept), { kind: 'warn', word: 'Change not in effect' });
});

test('a container that runs while its server does not answer is not shown as well', () => {
  assert.is(statusOf(server({ status: 'running', last_error: 'It does not answer.' })).kind, 'warn');
});

test('a server that says itself why it failed is shown with that line', () => {
  const failed = server({ status: 'failed', last_error: 'It ended.', last_error_line: 'Error: no key' });

  assert.is(troubleOf(failed), 'Error: no key');
  assert.is(troubleOf(server({ last_error: 'It ended.' })), 'It ended.');
});

test('calls are counted, with the part that failed', () => {
  assert.is(callsText(server({})), 'No calls');
  assert.is(callsText(server({ calls: 1, errors: 0 })), '1 call');
  assert.is(callsText(server({ calls: 1204, errors: 5 })), '1,204 calls, 0.4% failed');
  assert.is(callsText(server({ calls: 9000, errors: 1 })), '9,000 calls, under 0.1% failed');
});

test('uptime is told in its largest unit', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  assert.is(uptimeText('2026-11-21T11:59:30Z', now), 'up < 1 min');
  assert.is(uptimeText('2026-11-21T08:30:00Z', now), 'up 3 h');
  assert.is(uptimeText('2026-11-11T08:30:00Z', now), 'up 10 d');
  assert.is(uptimeText(undefined, now), '');
});

test('a paused log keeps what is shown, and goes on with what came meanwhile', () => {
  const paused = appendLines(pauseLog(appendLines(emptyLog, ['a'])), ['b', 'c']);

  assert.equal(paused.lines, ['a']);
  assert.equal(paused.held, ['b', 'c']);
  assert.equal(resumeLog(paused), { lines: ['a', 'b', 'c'], held: undefined });
});

test('a connection made anew replaces the lines, for it begins with the last of them', () => {
  assert.equal(appendLines(appendLines(emptyLog, ['a', 'b']), ['b', 'c'], true).lines, ['b', 'c']);
});

test('a log is bounded', () => {
  const many = Array.from({ length: 1500 }, (_, at) => String(at));

  assert.is(appendLines(emptyLog, many).lines.length, 1000);
  assert.is(appendLines(pauseLog(emptyLog), many).held?.length, 1000);
});

test.run();
