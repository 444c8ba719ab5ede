/** Servers that speak none of our revisions. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startHttpServer } from '../../support/http-server.ts';
import { createUpstreamFixture, failureOf, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('servers of other versions');
const ours = 'and this gateway speaks 2024-10-07 to 2025-11-25.';

/** Why a server that answers `initialize` so cannot be used. @param id Of the answer; absent: the request's. */
async function refusal(answer: object, status = 200, own?: { id: unknown }): Promise<string> {
  const server = await startHttpServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id } = JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify({ jsonrpc: '2.0', id: own ? own.id : id, ...answer });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  const fixture = createUpstreamFixture();
  const config = { name: 'new', transport: 'streamable_http', url: `http://${server.address}/mcp` } as const;
  try {
    return (await failureOf(fixture.upstreams.prepare(serverConfig(config)))).message;
  } finally {
    await fixture.close();
    await server.close();
  }
}

const unsupported = (supported: unknown) => ({
  error: {
    code: -32022,
    message: 'Unsupported protocol version',
    data: { supported, requested: '2025-11-25' },
  },
});

test('a server of the revision of 2026-07-28 alone is told by it, under our id or its own', async () => {
  const expected = `The server "new" is unavailable: it speaks version 2026-07-28 of MCP, ${ours}`;

  assert.is(await refusal(unsupported(['2026-07-28']), 400), expected);
  assert.is(await refusal(unsupported(['2026-07-28']), 400, { id: null }), expected);
});

test('one that answers with a version that we do not know is told by that', async () => {
  const result = { protocolVersion: '2026-07-28', capabilities: {}, serverInfo: { name: 'x', version: '1' } };

  assert.match(await refusal({ result }), `it speaks version 2026-07-28 of MCP, ${ours}`);
});

test('one that knows no initialize may speak a later version', async () => {
  const error = { code: -32601, message: 'Method not found' };

  assert.match(await refusal({ error }, 404), `it may speak a later version of MCP, ${ours}`);
});

test('nothing that is no version is repeated, and of many only a few are', async () => {
  const many = Array.from({ length: 30 }, (_, day) => `2027-01-${String(day + 1).padStart(2, '0')}`);

  const none = await refusal(unsupported(['<b>', 7, 'x'.repeat(5_000)]));
  const few = await refusal(unsupported([...many, 'no version']));

  const quoted = 'It wrote: "[initialize] Unsupported protocol version".';
  assert.is(none, `The server "new" is unavailable: it refused to be initialized. ${quoted}`);
  assert.match(few, `version ${many.slice(0, 5).join(', ')} of MCP`);
  assert.match(await refusal(unsupported('2026-07-28')), 'it refused to be initialized');
});

test.run();
