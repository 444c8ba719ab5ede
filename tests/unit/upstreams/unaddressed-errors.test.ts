/** Errors of the protocol in answers that HTTP calls failed, with an id that is not the request's. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startHttpServer } from '../../support/http-server.ts';
import { createUpstreamFixture, failureOf, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('errors under an id of the server’s own');

const error = { code: -32603, message: 'The disk is full.', data: { free: 0 } };

/** What a call comes to that is answered so. */
async function call(status: number, answer: unknown, type = 'application/json') {
  const server = await startHttpServer(
    (request, response) => void respond(request, response, status, answer, type),
  );
  const fixture = createUpstreamFixture();
  fixture.upstreams.install(
    serverConfig({ name: 'failing', transport: 'streamable_http', url: `http://${server.address}/mcp` }),
  );
  try {
    return await fixture.call('failing', 'work');
  } finally {
    await fixture.close();
    await server.close();
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  answer: unknown,
  type: string,
): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
  const send = (code: number, body: object, contentType = 'application/json') =>
    void response.writeHead(code, { 'content-type': contentType }).end(JSON.stringify(body));
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'tools/call') return send(status, { jsonrpc: '2.0', ...(answer as object) }, type);
  const { protocolVersion } = params;
  const initialized = {
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'x', version: '1' },
  };
  send(200, { jsonrpc: '2.0', id, result: method === 'initialize' ? initialized : { tools: [] } });
}

for (const id of [null, 'server-error', 77, undefined]) {
  test(`HTTP 500 with the id ${id} keeps its code, message and data`, async () => {
    assert.equal(await call(500, { id, error }), { error: JSON.stringify(error) });
  });
}

test('an error that a proxy wrote for a long answer is read as well', async () => {
  const long = { ...error, data: 'x'.repeat(200_000) };

  assert.equal(await call(502, { id: null, error: long }), { error: JSON.stringify(long) });
});

test('what is no error of the protocol, or of no failed answer, is told by its status', async () => {
  const cases: [number, unknown, string][] = [
    [500, { id: null, error: 'no object' }, 'HTTP status 500'],
    [500, { id: null, result: {}, error }, 'HTTP status 500'],
    [401, { id: null, error }, 'HTTP 401'],
    [200, { id: null, error }, 'without a result'],
  ];
  for (const [status, answer, expected] of cases) {
    assert.match((await failureOf(call(status, answer))).message, expected);
  }
  assert.match((await failureOf(call(500, { id: null, error }, 'text/plain'))).message, 'HTTP status 500');
});

test.run();
