/**
 * Opens `count` connections to `port` of this machine, sends `text` on each, and never closes one, whatever it is told.
 * With `again`, each that is ended is opened once more. Tells its parent, every 50 ms, how many are open.
 */
import { connect } from 'node:net';

const [port, count, text, again] = JSON.parse(process.argv[2]);
let [open, opened, ended] = [0, 0, 0];

function openOne() {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let wasOpen = false;
  const gone = () => {
    if (wasOpen) open -= 1;
    if (wasOpen) ended += 1;
    wasOpen = false;
  };
  socket.on('connect', () => {
    wasOpen = true;
    open += 1;
    opened += 1;
    if (text !== '') socket.write(text);
  });
  socket.on('data', () => {});
  socket.on('error', () => {});
  socket.once('end', gone);
  socket.once('close', () => {
    gone();
    if (again) setTimeout(openOne, 20);
  });
}

for (let started = 0; started < count; started += 1) openOne();
setInterval(() => process.send({ open, opened, ended }), 50);
process.on('disconnect', () => process.exit());
