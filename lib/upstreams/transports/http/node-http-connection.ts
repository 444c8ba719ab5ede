import net from 'node:net';
import tls from 'node:tls';
import type { AnswerReader } from './node-answer-readers.ts';
import { guardedLookup } from './node-dial-check.ts';
import { type AnswerParser, createAnswerParser } from './node-http-parser.ts';

/** One connection to an HTTP/1.1 server, with one exchange at a time. */
export interface HttpConnection {
  /** When its last exchange ended, by `performance.now()`. */
  readonly freeSince: number;
  isUsable(): boolean;
  /** Sends a whole request. The reader receives its answer, or an error when the connection ends. */
  exchange(request: HttpRequest, reader: AnswerReader): HttpExchange;
  /** The current reader receives an error. */
  close(): void;
}

export interface HttpRequest {
  /** Request line and headers, with the empty line, of characters up to U+00FF. */
  readonly head: string;
  readonly body: string;
}

export interface HttpExchange {
  /** The reader receives nothing more. Closes the connection, unless the exchange is over. */
  abort(): void;
}

export interface HttpConnectionOptions {
  readonly url: URL;
  /** The connection can carry another exchange. */
  readonly onFree: (connection: HttpConnection) => void;
  readonly onGone: (connection: HttpConnection) => void;
}

const keepAliveMs = 30_000;

/**
 * Our own instead of `node:http`, whose client costs more than twice as much a call
 * (`docs/decisions/0010-own-http-client.md`). It does what the relay needs: no redirects, no proxies, no upgrades,
 * no compression, no pipelining.
 */
export function createHttpConnection({ url, onFree, onGone }: HttpConnectionOptions): HttpConnection {
  const socket = dial(url);
  let reader: AnswerReader | undefined;
  let parser: AnswerParser | undefined;
  let failure: NodeJS.ErrnoException | undefined;
  const current: Pick<AnswerReader, 'onHead' | 'onData'> = {
    onHead: (head) => reader?.onHead(head),
    onData: (bytes) => reader?.onData(bytes),
  };

  function removeReader(): AnswerReader | undefined {
    const removed = reader;
    reader = undefined;
    return removed;
  }

  function onData(bytes: Buffer): void {
    // Bytes without a request are no answer.
    if (!reader || !parser) return void socket.destroy();
    try {
      if (!parser.feed(bytes)) return;
    } catch (error) {
      return void socket.destroy(error as Error);
    }
    const done = removeReader();
    if (done === undefined) return;
    if (parser.canStay()) {
      connection.freeSince = performance.now();
      onFree(connection);
    } else socket.destroy();
    done.onEnd();
  }

  socket.setNoDelay(true);
  // A silent stream must not stay open for ever when its other end has vanished.
  socket.setKeepAlive(true, keepAliveMs);
  socket.on('data', onData);
  socket.on('end', () => {
    if (parser?.finish()) removeReader()?.onEnd();
    socket.destroy();
  });
  socket.on('error', (error) => {
    failure = error;
  });
  socket.on('close', () => {
    onGone(connection);
    removeReader()?.onError(failure ?? Object.assign(new Error('It ended.'), { code: 'ECONNRESET' }));
  });

  const connection = {
    freeSince: 0,
    isUsable: () => socket.writable,
    exchange(request: HttpRequest, next: AnswerReader): HttpExchange {
      reader = next;
      parser = createAnswerParser(current);
      write(socket, request);
      return {
        abort() {
          if (reader !== next) return;
          reader = undefined;
          socket.destroy();
        },
      };
    },
    close: () => void socket.destroy(),
  };
  return connection;
}

const ascii = /^[\0-\x7f]*$/;

/** In one write where the encodings agree, which is nearly always. */
function write(socket: net.Socket, { head, body }: HttpRequest): void {
  if (ascii.test(head)) return void socket.write(head + body);
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(body);
  socket.uncork();
}

function dial(url: URL): net.Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const options = { host, port, lookup: guardedLookup };
  if (!isSecure) return net.connect(options);
  return tls.connect({
    ...options,
    ALPNProtocols: ['http/1.1'],
    ...(!net.isIP(host) && { servername: host }),
  });
}
