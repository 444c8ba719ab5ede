import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { createDemux } from '../../streams/demux.ts';
import { strayLine } from '../../upstreams/transports/stdio/stray-output.ts';
import type { LogStream } from '../containers.ts';
import { type DockerClient, isRefusal } from './node-docker-client.ts';

/**
 * The engine's log of a container's output, as lines. An endless line is cut.
 *
 * The engine counts the requested lines over both streams and filters streams afterwards, so that the protocol of a
 * busy stdio server pushes everything else out of a small `tail`. Hence a first window that is enough for quiet
 * servers, then the whole log, which is bounded (`create-body.ts`: twice 5 MB) and filtered while it is read.
 */
const longestLine = 16 * 1024;
const firstWindow = 2000;
const readLimitMs = 30_000;

export async function readLogs(
  client: DockerClient,
  id: string,
  tail: number,
  stream: LogStream,
): Promise<readonly string[]> {
  if (tail <= 0) return [];
  try {
    if (stream === 'all') return await readWindow(client, id, tail, { stream, window: tail });
    const lines = await readWindow(client, id, tail, { stream, window: firstWindow });
    return lines.length === tail ? lines : await readWindow(client, id, tail, { stream, window: 'all' });
  } catch (error) {
    // The container is gone, or its log driver cannot be read.
    if (isRefusal(error, 404, 409, 501)) return [];
    throw error;
  }
}

interface Window {
  readonly stream: LogStream;
  /** Counted in the engine's lines, of both streams. */
  readonly window: number | 'all';
}

async function readWindow(
  client: DockerClient,
  id: string,
  tail: number,
  { stream, window }: Window,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const take = (line: string) => {
    lines.push(line);
    if (lines.length > 2 * tail) lines.splice(0, lines.length - tail);
  };
  const reader = createLogReader(stream, take);
  await client.run(async (docker, abortSignal) => {
    const options = { stdout: true, stderr: true, tail: window };
    const source = await openLogs(docker, id, options, abortSignal);
    for await (const chunk of source) reader.write(chunk);
  }, readLimitMs);
  reader.end();
  return lines.slice(-tail);
}

export async function followLogs(
  client: DockerClient,
  id: string,
  stream: LogStream,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const options = { follow: true as const, tail: 0, stderr: true, stdout: true };
  try {
    const source = await client.open((docker) =>
      docker.getContainer(id).logs({ ...options, abortSignal: signal }),
    );
    const reader = createLogReader(stream, onLine);
    const ended = new Promise<void>((resolve) => source.once('close', resolve));
    source.on('error', () => {});
    source.on('data', reader.write);
    await ended;
  } catch (error) {
    if (!signal.aborted && !isRefusal(error, 404, 409, 501)) throw error;
  }
}

/** As the library behaves: a stream for logs that are followed, one buffer for all others. */
function openLogs(docker: Docker, id: string, options: object, abortSignal: AbortSignal): Promise<Readable> {
  const request = {
    ...{ path: `/containers/${id}/logs?`, method: 'GET', isStream: true, options, abortSignal },
    statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
  };
  return new Promise((resolve, reject) => {
    docker.modem.dial(request, (error, stream) => (error ? reject(error) : resolve(stream as Readable)));
  });
}

/** stdout and stderr are buffered separately until their lines are complete. */
function createLogReader(stream: LogStream, onLine: (line: string) => void) {
  let isFirst = true;
  const onStray = (line: string) => {
    const stray = strayLine(line, isFirst);
    isFirst = false;
    if (stray !== undefined) onLine(stray);
  };
  const out = createLineJoiner(stream === 'all' ? onLine : onStray);
  const err = createLineJoiner(onLine);
  return {
    write: createDemux({ onStdout: out.write, onStderr: err.write, onMalformed() {} }),
    end() {
      out.end();
      err.end();
    },
  };
}

function createLineJoiner(onLine: (line: string) => void) {
  const decoder = new TextDecoder();
  let begun = '';
  return {
    write(part: Uint8Array) {
      const pieces = (begun + decoder.decode(part, { stream: true })).split(/\r?\n/);
      begun = (pieces.pop() ?? '').slice(0, longestLine);
      for (const piece of pieces) onLine(piece.slice(0, longestLine));
    },
    end() {
      if (begun !== '') onLine(begun);
    },
  };
}
