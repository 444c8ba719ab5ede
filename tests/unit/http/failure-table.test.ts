import { Response as FastResponse } from '@whatwg-node/fetch';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusal } from '../../../handlers/gateway/serve-gateway.ts';
import type { ManagerContext } from '../../../handlers/manager/context.ts';
import { serveManager } from '../../../handlers/manager/serve-manager.ts';
import {
  databaseUnavailable,
  Failure,
  type FailureCode,
  failureKinds,
  toFailure,
} from '../../../lib/failure.ts';
import { reportFailure } from '../../../lib/http/report-failure.ts';
import { failureResponse, jsonResponse, useResponseClass } from '../../../lib/http/responses.ts';
import { createTable } from '../../../lib/http/route-table.ts';
import { failureText, statusOfMethodFailure } from '../../../lib/json-rpc/write.ts';
import { createRecordingLog } from '../../support/recording-log.ts';

const test = suite('failure table');

/** docs/api.md, Error codes: code → HTTP status, JSON-RPC code, and HTTP status when a JSON-RPC method failed so. */
const promised: Record<FailureCode, readonly [http: number, jsonrpc: number, inMethod: number]> = {
  parse_error: [400, -32700, 400],
  invalid_request: [400, -32600, 400],
  invalid_params: [400, -32602, 200],
  method_not_found: [200, -32601, 200],
  tool_not_found: [404, -32602, 200],
  prompt_not_found: [404, -32602, 200],
  resource_not_found: [404, -32002, 200],
  session_required: [400, -32000, 400],
  session_not_found: [404, -32001, 404],
  group_not_found: [404, -32000, 404],
  server_not_found: [404, -32000, 404],
  not_found: [404, -32000, 404],
  method_not_allowed: [405, -32000, 405],
  not_acceptable: [406, -32000, 406],
  unsupported_media_type: [415, -32000, 415],
  payload_too_large: [413, -32000, 413],
  host_not_allowed: [403, -32000, 403],
  origin_not_allowed: [403, -32000, 403],
  command_needs_admin: [403, -32000, 403],
  image_not_allowed: [403, -32000, 403],
  upstream_not_allowed: [403, -32000, 403],
  secret_needs_admin: [403, -32000, 403],
  mount_needs_admin: [403, -32000, 403],
  mount_not_allowed: [403, -32000, 403],
  replace_needs_admin: [403, -32000, 403],
  try_needs_admin: [403, -32000, 403],
  gateway_loop: [409, -32000, 200],
  unsupported_protocol_version: [400, -32000, 400],
  request_timeout: [408, -32000, 408],
  header_too_large: [431, -32000, 431],
  unauthorized: [401, -32000, 401],
  data_at_risk: [409, -32000, 409],
  conflict: [409, -32000, 409],
  group_changed: [409, -32000, 409],
  group_unreadable: [409, -32000, 409],
  group_read_only: [409, -32000, 409],
  config_read_only: [409, -32000, 409],
  secret_read_only: [409, -32000, 409],
  too_many_requests: [429, -32000, 429],
  upstream_unavailable: [502, -32603, 200],
  upstream_timeout: [504, -32603, 200],
  upstream_error: [502, -32603, 502],
  provision_failed: [502, -32000, 502],
  database_unavailable: [503, -32603, 503],
  storage_failed: [500, -32000, 500],
  internal: [500, -32603, 500],
};

test('each code has the numbers that are promised', () => {
  const codes = Object.keys(failureKinds) as FailureCode[];
  const ours = Object.fromEntries(
    codes.map((code) => {
      const failure = new Failure(code, 'x');
      return [code, [failure.status, failureKinds[code].jsonrpc, statusOfMethodFailure(failure)]];
    }),
  );

  assert.equal(ours, promised);
});

test('the manager’s shape: success, error, code, request_id, details', async () => {
  const details = { did_you_mean: ['a__b'] };
  const response = failureResponse(new Failure('tool_not_found', 'No such tool.', { details }), 'r1');

  assert.is(response.status, 404);
  assert.equal(await response.json(), {
    success: false,
    error: 'No such tool.',
    code: 'tool_not_found',
    request_id: 'r1',
    details,
  });
});

test('the JSON-RPC shape: the number, the sentence, and our code in data', async () => {
  const failure = new Failure('tool_not_found', 'No "such" tool.', { details: { hint: 1 } });

  assert.equal(JSON.parse(failureText('"id"', failure)), {
    jsonrpc: '2.0',
    id: 'id',
    error: { code: -32602, message: 'No "such" tool.', data: { code: 'tool_not_found', hint: 1 } },
  });
  const response = refusal(new Failure('parse_error', 'x'), 'null', 'r2');
  assert.is(response.status, 400);
  assert.equal(await response.json(), {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'x', data: { code: 'parse_error', request_id: 'r2' } },
  });
});

test('a failure may have a status and headers of its own', () => {
  const failure = new Failure('storage_failed', 'Disk full.', { status: 507, headers: { 'X-Y': 'z' } });
  const response = failureResponse(failure, 'r');

  assert.equal([response.status, response.headers.get('x-y')], [507, 'z']);
  assert.is(databaseUnavailable().headers['Retry-After'], '2');
});

test('anything that nobody threw on purpose is internal, and its text stays inside', async () => {
  for (const thrown of [
    new TypeError('SECRET'),
    'SECRET',
    { message: 'SECRET' },
    undefined,
    Symbol('SECRET'),
  ]) {
    const failure = toFailure(thrown);

    assert.is(failure.code, 'internal');
    assert.not.match(await failureResponse(failure, 'r').text(), 'SECRET');
    assert.not.match(failureText('1', failure, 'r'), 'SECRET');
  }
});

test('defects are logged with their cause, our own trouble as a warning, what the database tells itself below that, the caller’s not at all', () => {
  const { log, logged } = createRecordingLog();
  const defect = new TypeError('defect');
  const cause = new Error('connect ECONNREFUSED');

  const { requestId } = reportFailure(defect, log);
  reportFailure(new Failure('storage_failed', 'x', { cause }), log, 'r2');
  reportFailure(databaseUnavailable(cause), log, 'r3');
  reportFailure(new Failure('session_not_found', 'x'), log);

  assert.equal(
    logged.map(({ level, fields }) => [level, fields]),
    [
      ['error', { request_id: requestId, error: defect }],
      ['warn', { request_id: 'r2', code: 'storage_failed', error: cause }],
      ['debug', { request_id: 'r3', code: 'database_unavailable', reason: 'away' }],
    ],
  );
});

test('every answer of the manager has a request id, that of the body', async () => {
  const { log } = createRecordingLog();
  const table = createTable<Pick<ManagerContext, 'log'>>()
    .get('/good', () => jsonResponse({ success: true }))
    .get('/bad', () => {
      throw new Error('defect at /home/me/file.ts');
    });
  const handle = serveManager(table, { log });
  const ask = (path: string) => handle(new Request(`http://localhost${path}`));

  const good = await ask('/good');
  const bad = await ask('/bad');
  const nowhere = await ask('/nowhere');

  assert.equal([good.status, bad.status, nowhere.status], [200, 500, 404]);
  assert.match(good.headers.get('x-request-id') ?? '', /^[a-z0-9]{10}$/);
  const { request_id, error, success } = await bad.json();
  assert.equal([success, error], [false, 'Internal error']);
  assert.is(bad.headers.get('x-request-id'), request_id);
  assert.is((await nowhere.json()).code, 'not_found');
  assert.is(good.headers.get('x-content-type-options'), 'nosniff');
});

test('answers of the adapter’s class have a length of their own each', async () => {
  useResponseClass(FastResponse as typeof Response);
  try {
    const first = jsonResponse({ a: 'long enough to differ' });
    const second = jsonResponse({});

    assert.is(first.headers.get('content-length'), '29');
    assert.is(second.headers.get('content-length'), '2');
  } finally {
    useResponseClass(globalThis.Response);
  }
});

test.run();
