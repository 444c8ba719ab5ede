import type { LogStream } from './containers.ts';
import { createDemux } from './demux.ts';
import { type DockerClient, isRefusal } from './node-docker-client.ts';

/** What the engine kept of a container's output, as lines. A line that never ends is cut. */
const longestLine = 16 * 1024;

export async function readLogs(
  client: DockerClient,
  id: string,
  tail: number,
  stream: LogStream,
): Promise<string[]> {
  if (tail <= 0) return [];
  try {
    const options = { follow: false as const, tail, stderr: true, stdout: stream === 'both' };
    const bytes = await client.run((docker, abortSignal) =>
      docker.getContainer(id).logs({ ...options, abortSignal }),
    );
    const lines: string[] = [];
    const lineReader = createLogReader((line) => lines.push(line));
    lineReader.write(bytes);
    lineReader.end();
    return lines.slice(-tail);
  } catch (error) {
    // Gone, or with a log driver that cannot be read.
    if (isRefusal(error, 404, 409, 501)) return [];
    throw error;
  }
}

export async function followLogs(
  client: DockerClient,
  id: string,
  stream: LogStream,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const options = { follow: true as const, tail: 0, stderr: true, stdout: stream === 'both' };
  try {
    const source = await client.open((docker) =>
      docker.getContainer(id).logs({ ...options, abortSignal: signal }),
    );
    const reader = createLogReader(onLine);
    const ended = new Promise<void>((resolve) => source.once('close', resolve));
    source.on('error', () => {});
    source.on('data', reader.write);
    await ended;
  } catch (error) {
    if (!signal.aborted && !isRefusal(error, 404, 409, 501)) throw error;
  }
}

/** stdout and stderr are kept apart until their lines are whole. */
function createLogReader(onLine: (line: string) => void) {
  const out = createLineJoiner(onLine);
  const err = createLineJoiner(onLine);
  return {
    write: createDemux({ onStdout: out.write, onStderr: err.write, onNonsense() {} }),
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
