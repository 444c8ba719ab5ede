import { getEventListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createGuardedFetch,
  type GuardedFetchOptions,
} from '../../../lib/upstreams/transports/http/node-guarded-fetch.ts';
import { createHttpEndpoint } from '../../../lib/upstreams/transports/http/node-http-endpoint.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { failureOf, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('fetch over our own endpoints');

async function withFetch(
  listener: RequestListener,
  options: Partial<GuardedFetchOptions>,
  work: (get: typeof fetch, url: string) => Promise<void>,
): Promise<void> {
  const server = await startHttpServer(listener);
  const url = `http://${server.address}/`;
  const endpoint = createHttpEndpoint(serverConfig({ name: 'fetched', url }));
  const defaults = {
    bodyOf: (written: string) => written,
    mostBytes: 1_000,
    onRefusedEvent() {},
    onMessage() {},
    postWaitMs: 30_000,
  };
  try {
    await work(createGuardedFetch({ endpointOf: () => endpoint, ...defaults, ...options }), url);
  } finally {
    endpoint.close();
    await server.close();
  }
}

test('a POST that is not answered in time is broken off, a GET may take its time', () =>
  withFetch(
    (request, response) => {
      if (request.method === 'GET') setTimeout(() => response.end('late'), 200);
    },
    { postWaitMs: 50 },
    async (get, url) => {
      const late = get(url);

      assert.is((await failureOf(get(url, { method: 'POST', body: '' }))).message, 'No answer.');
      assert.is(await (await late).text(), 'late');
    },
  ));

test('a body beyond the limit is broken off', () =>
  withFetch(
    (_request, response) => response.end('x'.repeat(1_001)),
    {},
    async (get, url) => {
      const response = await get(url);

      assert.is((await failureOf(response.text())).message, 'The answer is too long.');
    },
  ));

test('a body that nobody reads leaves no listener on a signal that outlives it', () =>
  withFetch(
    (_request, response) => void response.write('begun'),
    {},
    async (get, url) => {
      const { signal } = new AbortController();
      const response = await get(url, { signal });

      await response.body?.cancel();

      assert.equal(getEventListeners(signal, 'abort'), []);
    },
  ));

test.run();
