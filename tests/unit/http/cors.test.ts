import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endpoint, initializeMessage, openSession, post } from '../../support/mcp-exchange.ts';
import { onBothLegs } from '../../support/two-legs.ts';

const test = suite('CORS on the gateway');
const Origin = 'http://localhost:6274';

onBothLegs(test, 'a browser that asks beforehand learns what it may send', async ({ fetch }) => {
  const response = await fetch(endpoint, {
    method: 'OPTIONS',
    headers: {
      Origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,mcp-session-id,mcp-protocol-version,authorization',
    },
  });

  const allowed = (response.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, */);
  assert.is(response.status, 204);
  assert.is(await response.text(), '');
  assert.is(response.headers.get('access-control-allow-origin'), Origin);
  assert.match(response.headers.get('access-control-allow-methods') ?? '', /GET, POST, DELETE/);
  for (const name of ['content-type', 'accept', 'authorization', 'mcp-session-id', 'mcp-protocol-version']) {
    assert.ok(allowed.includes(name), name);
  }
  assert.ok(allowed.includes('last-event-id'));
});

onBothLegs(test, 'an answer lets the page read the session id', async ({ fetch }) => {
  const { headers } = await post(fetch, initializeMessage(), { Origin });

  assert.is(headers.get('access-control-allow-origin'), Origin);
  assert.match(headers.get('access-control-expose-headers') ?? '', 'Mcp-Session-Id');
  assert.is(headers.get('vary'), 'Origin');
  assert.is(headers.get('access-control-allow-credentials'), null);
});

onBothLegs(test, 'refusals and event streams carry the headers too', async ({ fetch }) => {
  const session = await openSession(fetch);
  const leaving = new AbortController();

  const refused = await post(fetch, '{', { Origin });
  const stream = await fetch(endpoint, {
    headers: { ...session, Origin, Accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  const plain = await fetch('/api/v0/tools', { headers: { Origin } });
  leaving.abort();

  assert.is(refused.status, 400);
  for (const { headers } of [refused, stream, plain]) {
    assert.is(headers.get('access-control-allow-origin'), Origin);
  }
});

onBothLegs(test, 'who sends no Origin gets none of these headers', async ({ fetch }) => {
  const { headers } = await post(fetch, initializeMessage());

  const names = [...headers.keys()].filter((name) => name.startsWith('access-control'));
  assert.equal(names, []);
});

test.run();
