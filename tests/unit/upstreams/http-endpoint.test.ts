import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerConfig } from '../../../lib/config/server-config.ts';
import {
  createHttpEndpoint,
  type HttpEndpoint,
} from '../../../lib/upstreams/transports/http/node-http-endpoint.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('requests to HTTP servers');
const isLinux = existsSync('/proc/net/tcp');
if (!isLinux) console.error('sockets of HTTP endpoints: skipped, there is no /proc/net/tcp');
const testOnLinux = isLinux ? test : test.skip;

/** Only what an endpoint reads of a config. */
function config(url: string, more: Partial<ServerConfig> = {}): ServerConfig {
  return { url, headers: {}, ...more } as ServerConfig;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function send(endpoint: HttpEndpoint, body?: string, method = 'POST'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = '';
    endpoint.send(endpoint.prepare(method, {}), body, {
      onHead: (head) => {
        status = head.status;
      },
      onData: (bytes) => {
        text += bytes.toString();
      },
      onEnd: () => resolve({ status, body: text }),
      onError: reject,
    });
  });
}

async function withServer(
  listener: http.RequestListener,
  use: (url: string, connections: () => number) => Promise<void>,
): Promise<void> {
  const server = http.createServer(listener);
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?x=1`, () => connections);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Answers each connection's first bytes with raw text. */
async function withRawServer(
  onData: (socket: Socket) => void,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onData(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.close();
  }
}

/** When the kernel looks next whether the other end of our connection from this port is there; undefined: not now. */
function keepAliveTimerMs({ remotePort, localPort }: Socket): number | undefined {
  const ends = [remotePort, localPort].map((port) => `0100007F:${hexadecimal(port ?? 0)}`).join(' ');
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((each) => each.includes(ends));
  const [timer, left] = line?.trim().split(/\s+/)[5]?.split(':') ?? [];
  return timer === '02' && left !== undefined ? Number.parseInt(left, 16) * 10 : undefined;
}

const hexadecimal = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');

function echo(request: http.IncomingMessage, response: http.ServerResponse): void {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body }));
  });
}

test('a request arrives whole, and the next one uses the same connection', async () => {
  await withServer(echo, async (url, connections) => {
    const endpoint = createHttpEndpoint(
      config(url, { headers: { 'X-Key': 'schlüssel', Host: 'evil' }, bearerToken: 'abc' }),
    );
    const { status, body } = await send(endpoint, '{"a":"é"}');
    const seen = JSON.parse(body);
    assert.is(status, 200);
    assert.equal([seen.method, seen.url, seen.body], ['POST', '/mcp?x=1', '{"a":"é"}']);
    assert.is(seen.headers['content-length'], '10');
    assert.is(seen.headers.host, new URL(url).host);
    assert.is(seen.headers.authorization, 'Bearer abc');
    assert.is(seen.headers['x-key'], 'schlüssel');
    await send(endpoint, '{}');
    assert.is(connections(), 1);
    endpoint.close();
  });
});

testOnLinux('a connection is kept alive, so that one whose other end is gone is noticed', async () => {
  let connection: Socket | undefined;
  const listener: http.RequestListener = (request, response) => {
    connection = request.socket;
    response.end('ok');
  };
  await withServer(listener, async (url) => {
    const endpoint = createHttpEndpoint(config(url));
    await send(endpoint, '1');

    // The kernel has one timer for a connection, which belongs to bytes sent until they are acknowledged.
    const timerMs = await waitUntil('its timer runs', () => connection && keepAliveTimerMs(connection));
    assert.ok(timerMs <= 30_000, `${timerMs}`);
    endpoint.close();
  });
});

test('requests at the same time use connections of their own, which are kept', async () => {
  await withServer(echo, async (url, connections) => {
    const endpoint = createHttpEndpoint(config(url));
    await Promise.all([send(endpoint, '1'), send(endpoint, '2'), send(endpoint, '3')]);
    await Promise.all([send(endpoint, '1'), send(endpoint, '2'), send(endpoint, '3')]);
    assert.is(connections(), 3);
    endpoint.close();
  });
});

test('user and password of the address are sent as basic authorization', async () => {
  await withServer(echo, async (url) => {
    const endpoint = createHttpEndpoint(config(url.replace('//', '//me:p%40ss@')));
    const { body } = await send(endpoint);
    assert.is(JSON.parse(body).headers.authorization, `Basic ${btoa('me:p@ss')}`);
    endpoint.close();
  });
});

test('a connection that the server closed meanwhile is not used again', async () => {
  const closing: http.RequestListener = (request, response) => {
    request.resume();
    response.end('ok');
    setTimeout(() => request.socket.destroy(), 20);
  };
  await withServer(closing, async (url, connections) => {
    const endpoint = createHttpEndpoint(config(url));
    await send(endpoint, '1');
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.is((await send(endpoint, '2')).body, 'ok');
    assert.is(connections(), 2);
    endpoint.close();
  });
});

test('an aborted exchange is not heard of again and costs its connection', async () => {
  await withServer(
    (request) => request.resume(),
    async (url) => {
      const endpoint = createHttpEndpoint(config(url));
      let heard = 0;
      const count = () => {
        heard += 1;
      };
      const reader = { onHead: count, onData: count, onEnd: count, onError: count };
      const exchange = endpoint.send(endpoint.prepare('POST', {}), '1', reader);
      await new Promise((resolve) => setTimeout(resolve, 30));
      exchange.abort();
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.is(heard, 0);
      endpoint.close();
    },
  );
});

test('closing the endpoint ends what is under way', async () => {
  await withServer(
    (request) => request.resume(),
    async (url) => {
      const endpoint = createHttpEndpoint(config(url));
      const failing = send(endpoint, '1').catch((error: NodeJS.ErrnoException) => error.code);
      setTimeout(() => endpoint.close(), 20);
      assert.is(await failing, 'ECONNRESET');
    },
  );
});

test('what is sent over a closed endpoint fails and opens no connection', async () => {
  await withServer(echo, async (url, connections) => {
    const endpoint = createHttpEndpoint(config(url));
    endpoint.close();

    assert.is(await send(endpoint, '1').catch(({ message }) => message), 'The endpoint is closed.');
    assert.is(connections(), 0);
  });
});

test('nothing listens: the error says so', async () => {
  const endpoint = createHttpEndpoint(config('http://127.0.0.1:9/'));
  assert.is(await send(endpoint, '1').catch((error: NodeJS.ErrnoException) => error.code), 'ECONNREFUSED');
  endpoint.close();
});

test('a server that hangs up before or within its answer fails the exchange', async () => {
  for (const text of ['', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab']) {
    await withRawServer(
      (socket) => socket.end(text),
      async (url) => {
        const endpoint = createHttpEndpoint(config(url));
        const code = await send(endpoint, '1').catch((error: NodeJS.ErrnoException) => error.code);
        assert.is(code, 'ECONNRESET');
        endpoint.close();
      },
    );
  }
});

test('what speaks another protocol is told apart', async () => {
  await withRawServer(
    (socket) => socket.write('220 mail.example ESMTP\r\n\r\n'),
    async (url) => {
      const endpoint = createHttpEndpoint(config(url));
      const code = await send(endpoint, '1').catch((error: NodeJS.ErrnoException) => error.code);
      assert.is(code, 'ERR_HTTP_ANSWER');
      endpoint.close();
    },
  );
});

test('bytes that nobody asked for end a connection, and are no answer to the next request', async () => {
  const smuggling =
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil';
  await withRawServer(
    (socket) => socket.write(smuggling),
    async (url) => {
      const endpoint = createHttpEndpoint(config(url));
      assert.is((await send(endpoint, '1')).body, 'ok');
      assert.is((await send(endpoint, '2')).body, 'ok');
      endpoint.close();
    },
  );
});

test('a header that cannot be sent is refused without being shown', () => {
  assert.throws(
    () => createHttpEndpoint(config('http://127.0.0.1/', { headers: { 'X-Key': 'geheim\r\nX: 1' } })),
    (error: Error) => /headers/.test(error.message) && !/geheim/.test(error.message),
  );
});

test.run();
