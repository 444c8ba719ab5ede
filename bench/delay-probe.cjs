// Loaded into the service before anything of its own (`NODE_OPTIONS=--require`): tells over a socket how long its event
// loop stood still at most since it was asked last, and what memory it has after a forced collection.
const { isMainThread } = require('node:worker_threads');
const path = process.env.BENCH_PROBE_SOCKET;

if (isMainThread && path) {
  require('node:v8').setFlagsFromString('--expose-gc');
  const collect = require('node:vm').runInNewContext('gc');
  const everyMs = 2;
  let longest = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - everyMs);
    last = now;
  }, everyMs).unref();
  require('node:net')
    .createServer((socket) => {
      socket.on('error', () => {});
      const answer = { longest, heap: 0, resident: 0 };
      collect();
      collect();
      Object.assign(answer, { heap: process.memoryUsage().heapUsed, resident: process.memoryUsage.rss() });
      socket.end(JSON.stringify(answer));
      setImmediate(() => {
        longest = 0;
        last = performance.now();
      });
    })
    .listen(path)
    .unref();
}
