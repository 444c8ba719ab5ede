/**
 * Demultiplexes an engine's stream (Engine API, `ContainerAttach`: stdout and stderr in frames of an 8-byte header,
 * stream type and big-endian length, and a payload). Payloads are passed on as they arrive, in parts and without being
 * copied: the client library's own demultiplexer copies the rest of its buffer for every frame, which makes 20 MB of
 * short lines cost 8 seconds.
 */
export interface DemuxHandlers {
  readonly onStdout: (part: Uint8Array) => void;
  readonly onStderr: (part: Uint8Array) => void;
  /** The stream is not multiplexed; nothing further is reported. */
  readonly onMalformed: () => void;
}

const headerBytes = 8;
const stdin = 0;
const stdout = 1;
const stderr = 2;

export function createDemux(handlers: DemuxHandlers): (chunk: Uint8Array) => void {
  const header = new Uint8Array(headerBytes);
  const headerView = new DataView(header.buffer);
  let headerFill = 0;
  let stream = stdin;
  let payloadLeft = 0;
  let isOver = false;

  /** @returns how many bytes of `chunk` were consumed. */
  function readHeader(chunk: Uint8Array, start: number): number {
    const part = chunk.subarray(start, start + headerBytes - headerFill);
    header.set(part, headerFill);
    headerFill += part.length;
    if (headerFill < headerBytes) return part.length;
    headerFill = 0;
    stream = headerView.getUint8(0);
    payloadLeft = headerView.getUint32(4);
    isOver = stream > stderr || headerView.getUint32(0) % 0x1000000 !== 0;
    if (isOver) handlers.onMalformed();
    return part.length;
  }

  function readPayload(chunk: Uint8Array, start: number): number {
    const part = chunk.subarray(start, start + payloadLeft);
    payloadLeft -= part.length;
    if (stream === stdout) handlers.onStdout(part);
    else if (stream === stderr) handlers.onStderr(part);
    return part.length;
  }

  return (chunk) => {
    let start = 0;
    while (start < chunk.length && !isOver) {
      start += payloadLeft > 0 ? readPayload(chunk, start) : readHeader(chunk, start);
    }
  };
}
