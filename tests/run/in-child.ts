/**
 * Runs inside the child process of test files: takes uvu's queue into its own hands, because uvu's own
 * runner reports a suite whose `before` hook throws as passed, and a file without `.run()` as nothing.
 * Every step is told to the parent over the IPC channel; what was not told has not happened, so a file that
 * exits early, with whatever code, is missing its `end`. A `shared` process takes a further file when nothing
 * is left of the last one; otherwise it ends, as that of a single file does.
 */
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { createTraceCheck } from './process-traces.ts';
import type { Report } from './report.ts';

/** What uvu's `.run()` puts into the queue; `errors` is `true` when no test failed. */
type QueuedSuite = () => Promise<[errors: string | true, ran: number, skipped: number, total: number]>;

const [first, sharing] = process.argv.slice(2);
// The embedded database runs for seconds, and what V8 spends on making its WebAssembly faster takes longer than that.
for (const flag of ['--liftoff-only', '--wasm-lazy-compilation']) setFlagsFromString(flag);
if (first === undefined) throw new Error('in-child.ts: expected the path of a test file');
const isWithoutTraces = sharing === 'shared' ? await createTraceCheck() : async () => false;

for (let file: string | undefined = first; file !== undefined; ) {
  await runFile(file);
  await tell({ kind: 'end' });
  if (!(await isWithoutTraces())) break;
  await tell({ kind: 'free' });
  file = await nextFile();
}
if (process.connected) process.disconnect();

async function runFile(file: string): Promise<void> {
  const queue: QueuedSuite[] = [];
  Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: [queue], UVU_INDEX: 0 });
  await import(pathToFileURL(file).href);
  for (let index = 0; index < queue.length; index += 1) {
    const run = queue[index];
    if (run) await tell(await runSuite(run));
  }
  await letStrayRejectionsSurface();
}

async function runSuite(run: QueuedSuite): Promise<Report> {
  try {
    const [errors, ran, skipped, total] = await run();
    return { kind: 'suite', errors: errors === true ? '' : errors, ran, skipped, total };
  } catch (error) {
    return { kind: 'suite-threw', error: error instanceof Error ? String(error.stack) : String(error) };
  }
}

/** An unhandled rejection ends the process by itself, but only when its turn of the event loop comes. */
async function letStrayRejectionsSurface(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** While a file runs nobody listens, for a channel that is listened to would keep a file alive that never settles. */
function nextFile(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const take = (file?: unknown) => {
      process.off('message', take).off('disconnect', take);
      resolve(typeof file === 'string' ? file : undefined);
    };
    process.once('message', take).once('disconnect', take);
    if (!process.connected) take();
  });
}

function tell(report: Report): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!process.send) return resolve();
    process.send(report, undefined, undefined, (error) => (error ? reject(error) : resolve()));
  });
}
