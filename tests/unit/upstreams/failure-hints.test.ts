import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingVariables } from '../../../lib/config/secret-references.ts';
import type { ServerConfig } from '../../../lib/config/server-config.ts';
import type { Failure } from '../../../lib/failure.ts';
import { explained, linesBefore } from '../../../lib/upstreams/connection/failure-hints.ts';
import { StartFailure, startTimedOut, unavailable } from '../../../lib/upstreams/upstream-failures.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('why a server failed, and what to do');

const explain = (
  failure: Failure,
  lines: readonly string[],
  { isStart = true, ...fields }: Partial<ServerConfig> & { isStart?: boolean } = {},
) => explained(failure, { config: serverConfig({ name: 's', image: 'tool:1', ...fields }), lines, isStart });

const ended = (exitCode: number) =>
  unavailable('s', `its container ended with exit code ${exitCode}`, { exitCode });

test('the sentence keeps what is known, and its details', () => {
  const failure = explain(ended(1), ["EPERM: operation not permitted, chown '/data'"]);

  assert.match(
    failure.message,
    /^The server "s" is unavailable: its container ended with exit code 1\. It changes/,
  );
  assert.equal([failure.code, failure.details], ['upstream_unavailable', { exit_code: 1 }]);
});

test('text on standard output is quoted to who starts the server, and to nobody else', () => {
  const failure = explain(startTimedOut('s', 30_000), ['[stdout] Server at http://0.0.0.0:3000']);

  assert.match(failure.message, 'text that is not MCP on standard output (see its log)');
  assert.match(failure.message, '"streamable_http" and its `port`');
  assert.not.match(failure.message, '0.0.0.0');
  const told = new StartFailure(failure);
  assert.match(told.message, 'such as: "Server at http://0.0.0.0:3000"');
  assert.match(told.message, /^The server "s" did not list its tools within 30 s of its start\./);
  assert.match(told.message, '`timeouts.start_ms` (30000)');
  assert.match(told.hint ?? '', 'such as');
});

test('a program of this host is told of its arguments or its address', () => {
  const process = { image: undefined };

  const banner = explain(startTimedOut('s', 100), ['[stdout] Welcome'], process);
  assert.match(banner.message, 'Give it the arguments');
  const http = explain(startTimedOut('s', 100), ['[stdout] listening'], process);
  assert.match(http.message, 'its `url`');
  assert.is(explain(ended(1), ['EPERM: operation not permitted'], process).message, ended(1).message);
});

test('a server that served is judged by its crash alone', () => {
  const stray = ['[stdout] Welcome'];

  assert.is(explain(ended(1), stray, { isStart: false }).message, ended(1).message);
  const restarted = unavailable('s', 'its container was restarted');
  assert.is(explain(restarted, ['EPERM chown'], { isStart: false }).message, restarted.message);
  assert.match(
    explain(ended(134), ['JavaScript heap out of memory'], { isStart: false }).message,
    'memory_mb',
  );
});

test('what is explained already is left as it is', () => {
  const lines = ['EPERM: operation not permitted'];
  const outOfMemory = unavailable('s', 'its container ran out', { exitCode: 137, outOfMemory: true });
  const missing = missingVariables('s', ['KEY']);

  const known = explain(outOfMemory, lines);
  assert.is(known.message, outOfMemory.message);
  assert.equal(known.details, { exit_code: 137, out_of_memory: true });
  assert.is(explain(missing, lines), missing);
});

test('what it wrote last is kept for whoever looks after it, and in no sentence for its callers', () => {
  const failure = explain(ended(1), ['', 'Error: no key', '    at main'], { image: undefined });

  assert.is(failure.message, ended(1).message);
  assert.equal(failure.details, ended(1).details);
  assert.equal(linesBefore(failure), ['Error: no key', '    at main']);
  assert.equal(linesBefore(undefined), []);
  const told = new StartFailure(failure);
  assert.is(told.message, `${ended(1).message} It wrote: "Error: no key".`);
  assert.equal(told.details, { exit_code: 1, log_tail: ['Error: no key', '    at main'] });
});

test.run();
