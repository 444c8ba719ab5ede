/**
 * Child process: asks `/healthz` every 20 ms over one connection and tells how long each answer took, less the
 * time by which its own timer was late, so that a busy machine is not taken for a stalled service.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

const port = Number(process.argv[2]);
const request = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
const socket = connect(port, '127.0.0.1').setNoDelay(true);
let sentAt: number | undefined;
let dueAt = performance.now();

setInterval(() => {
  const now = performance.now();
  const ownLag = Math.max(0, now - dueAt - 20);
  dueAt = now;
  if (sentAt === undefined) {
    sentAt = now;
    socket.write(request);
  } else if (ownLag > 5) {
    sentAt += ownLag;
  }
}, 20);

socket.on('data', () => {
  if (sentAt !== undefined) process.send?.(performance.now() - sentAt);
  sentAt = undefined;
});
socket.on('error', () => process.exit(1));
socket.on('close', () => process.exit(1));
process.on('disconnect', () => process.exit(0));
