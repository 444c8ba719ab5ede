import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerConfig } from '../../../lib/config/server-config.ts';
import { hintOfExitCode, hintOfLines } from '../../../lib/upstreams/connection/container-hints.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('what the last lines of a container say');

const hint = (line: string, fields: Partial<ServerConfig> = {}) =>
  hintOfLines(['Starting', line, 'exiting'], serverConfig({ name: 's', image: 'tool:1', ...fields }));

/** Lines that programs really write, and what the hint must name. */
for (const [line, names] of [
  [
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    '512 MB\\): raise `limits.memory_mb`',
  ],
  ['MemoryError', '`limits.memory_mb`'],
  ["Error: EPERM: operation not permitted, chown '/data'", '"CHOWN"'],
  ["chown: changing ownership of '/data': Operation not permitted", '"CHOWN"'],
  ["chmod: changing permissions of '/data': Operation not permitted", '"FOWNER"'],
  ['error: failed switching to "node": operation not permitted', '"SETGID", "SETUID"'],
  ['su-exec: setgroups: Operation not permitted', '"SETGID", "SETUID"'],
  ['setpriv: setresuid failed: Operation not permitted', '"SETGID", "SETUID"'],
  ['sudo: The "no new privileges" flag is set', '`user`'],
  ['Error: listen EACCES: permission denied 0.0.0.0:80', '"NET_BIND_SERVICE"'],
  ['nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)', '"NET_BIND_SERVICE"'],
  ['ping: socktype: SOCK_RAW: Operation not permitted', '"NET_RAW"'],
  [
    'Failed to move to new namespace: PID namespaces supported, but failed: errno = Operation not permitted',
    '--no-sandbox',
  ],
  ['OSError: [Errno 30] Read-only file system', '`read_only` in `volumes`'],
  ['exec /usr/bin/tool: exec format error', 'another kind of processor'],
  ["RuntimeError: can't start new thread", 'Perhaps.* 256: raise `limits.pids`'],
  ["PermissionError: [Errno 13] Permission denied: '/data/x'", 'Perhaps.*"DAC_OVERRIDE"'],
  ['unexpected EPERM', 'Perhaps it lacks a Linux capability'],
] as const) {
  test(line, () => assert.match(hint(line) ?? '', new RegExp(names)));
}

test('nothing is made up of lines that say nothing', () => {
  assert.is(hint('FATAL: API_KEY is not set'), undefined);
  assert.is(hint('connect ENOTFOUND example'), undefined);
  assert.is(hint('ping received, permission to speak not needed'), undefined);
});

test('what the config has already is not what it lacks', () => {
  const line = "Error: EPERM: operation not permitted, chown '/data'";

  assert.not.match(hint(line, { capabilities: ['CHOWN'] }) ?? '', '"CHOWN"');
  assert.is(hint('EACCES', { capabilities: ['DAC_OVERRIDE'] }), undefined);
});

test('what the config itself takes away is named', () => {
  assert.match(
    hint("EROFS: read-only file system, open '/x'", { readOnly: true }) ?? '',
    'leave `read_only` out',
  );
  assert.match(hint("EACCES: permission denied, open '/x'", { user: '1000' }) ?? '', 'Perhaps its `user`');
  assert.match(hint('getaddrinfo EAI_AGAIN', { network: 'none' }) ?? '', '`network` is `none`');
});

test('the surer sign counts, wherever it stands', () => {
  const lines = ['EACCES: permission denied', 'JavaScript heap out of memory'];

  assert.match(hintOfLines(lines, serverConfig({ name: 's', image: 'tool:1' })) ?? '', 'memory_mb');
});

for (const line of [
  'Listening on port 8080',
  'MCP server running at http://0.0.0.0:8080/mcp',
  'Uvicorn running on http://[::]:8080 (Press CTRL+C)',
  'listening on :8080',
]) {
  test(`a server over HTTP that says its port: ${line}`, () => {
    assert.match(hint(line, { port: 3001 }) ?? '', 'port 8080: set `port`');
    assert.is(hint(line, { port: 8080 }), undefined);
    assert.is(hint(line), undefined);
  });
}

test('a time of day is no port', () => {
  assert.is(hint('Server started at 12:30:11', { port: 3001 }), undefined);
  assert.is(hint('started 2026-11-22T12:30', { port: 3001 }), undefined);
});

test('exit codes that say something by themselves', () => {
  assert.match(hintOfExitCode(127, true) ?? '', 'not found in the image');
  assert.match(hintOfExitCode(126, true) ?? '', 'may not be executed');
  assert.match(hintOfExitCode(0, true) ?? '', 'ended by itself');
  assert.match(hintOfExitCode(137, false) ?? '', 'killed');
  assert.match(hintOfExitCode(139, false) ?? '', '`limits.pids`');
  assert.is(hintOfExitCode(0, false), undefined);
  assert.is(hintOfExitCode(1, true), undefined);
});

test.run();
