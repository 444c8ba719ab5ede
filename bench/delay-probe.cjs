// Loaded into the service before anything of its own (`NODE_OPTIONS=--require`): tells over a socket how long its event
// loop stood still at most since it was asked last, and what memory it has after a forced collection.
const { isMainThread } = require('node:worker_threads');
const path = process.env.BENCH_PROBE_SOCKET;

if (isMainThread && path) {
  require('node:v8').setFlagsFromString('--expose-gc');
  const collect = require('node:vm').runInNewContext('gc');
  const everyMs = 2;
  const { readFileSync } = require('node:fs');
  // What the main thread computed, in nanoseconds: on a machine with other work a turn takes longer than that.
  const computed = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  let longest = 0;
  let longestCpu = 0;
  let last = performance.now();
  let lastCpu = computed();
  setInterval(() => {
    const [now, cpu] = [performance.now(), computed()];
    longest = Math.max(longest, now - last - everyMs);
    longestCpu = Math.max(longestCpu, cpu - lastCpu);
    [last, lastCpu] = [now, cpu];
  }, everyMs).unref();
  require('node:net')
    .createServer((socket) => {
      socket.on('error', () => {});
      const answer = { longest, longestCpu, heap: 0, resident: 0 };
      collect();
      collect();
      Object.assign(answer, { heap: process.memoryUsage().heapUsed, resident: process.memoryUsage.rss() });
      socket.end(JSON.stringify(answer));
      setImmediate(() => {
        [longest, longestCpu] = [0, 0];
        [last, lastCpu] = [performance.now(), computed()];
      });
    })
    .listen(path)
    .unref();
}
