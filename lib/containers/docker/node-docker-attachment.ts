import type { Duplex } from 'node:stream';
import { unlessAborted } from '../../async/wait.ts';
import { createDemux } from '../../streams/demux.ts';
import type { Attachment } from '../containers.ts';
import type { DockerClient } from './node-docker-client.ts';

/**
 * A container's stdin and output over one connection that the engine hijacks from HTTP. The connection ends when the
 * process does. A write to an ended connection is lost silently, so `onEnd` is the only signal.
 */
const attachLimitMs = 10_000;

export async function attachTo(client: DockerClient, id: string): Promise<Attachment> {
  const options = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true };
  // The signal must not outlive the request: aborting it later would cut the connection.
  const stream = await client.run(
    (docker, abortSignal) => withinLimit(docker.getContainer(id).attach(options), abortSignal),
    attachLimitMs,
  );
  return createAttachment(stream as Duplex);
}

/** Closes an attachment that was opened too late. */
function withinLimit(
  attaching: Promise<NodeJS.ReadWriteStream>,
  signal: AbortSignal,
): Promise<NodeJS.ReadWriteStream> {
  const closeLater = () => void attaching.then((stream) => (stream as Duplex).destroy()).catch(() => {});
  if (signal.aborted) closeLater();
  else signal.addEventListener('abort', closeLater);
  return unlessAborted(attaching, signal);
}

export function createAttachment(stream: Duplex): Attachment {
  let onStdout = (_chunk: Uint8Array) => {};
  let onStderr = (_chunk: Uint8Array) => {};
  let isFlowing = false;
  const demux = createDemux({
    onStdout: (part) => onStdout(part),
    onStderr: (part) => onStderr(part),
    onMalformed: () => stream.destroy(),
  });
  stream.on('error', () => {});
  stream.on('end', () => stream.destroy());

  function flow(): void {
    if (isFlowing) return;
    isFlowing = true;
    stream.on('data', demux);
  }

  return {
    write: (text) => stream.write(text),
    onStdout(handler) {
      onStdout = handler;
      flow();
    },
    onStderr(handler) {
      onStderr = handler;
      flow();
    },
    onDrain: (handler) => void stream.on('drain', handler),
    onEnd(handler) {
      if (stream.closed) queueMicrotask(handler);
      else stream.once('close', handler);
      flow();
    },
    detach: () => void stream.destroy(),
  };
}
