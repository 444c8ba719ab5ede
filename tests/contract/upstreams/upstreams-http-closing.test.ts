/** Ends of a server over Streamable HTTP that takes no notice of what it is sent. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultTimeouts } from '../../../lib/config/server-config.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { createUpstreamFixture, failureOf, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('the end of a server over Streamable HTTP');

const initialized = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1 },
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'deaf', version: '1' } },
});

/** Answers `initialize`, and nothing else ever. */
async function startDeafServer() {
  const unanswered: ServerResponse[] = [];
  const server = await startHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (!body.includes('"initialize"')) unanswered.push(response);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(initialized);
    });
  });
  return { ...server, unanswered };
}

test('a start ends in its time though notifications are never taken', async () => {
  const server = await startDeafServer();
  const fixture = createUpstreamFixture();
  const timeouts = { ...defaultTimeouts, startMs: 200 };
  const url = `http://${server.address}/mcp`;
  const config = serverConfig({ name: 'deaf', transport: 'streamable_http', url, timeouts });

  // The notification itself is given up after half a minute.
  const failure = await Promise.race([
    failureOf(fixture.upstreams.prepare(config)),
    sleep(15_000, undefined, { ref: false }),
  ]);

  assert.is(
    failure?.message,
    'The server "deaf" did not list its tools within 200 ms of its start. If it only needs longer, raise `timeouts.start_ms` (200).',
  );
  assert.ok(server.unanswered.length > 0, 'it was told that it is initialized');
  await fixture.close();
  await server.close();
});

test.run();
