/** What a test file can leave behind in its process: whether the next file finds it as the first one did. */
const replaceable = [
  ...['fetch', 'Date', 'Math', 'JSON', 'console', 'performance', 'process', 'queueMicrotask'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
] as const;

/** Global names that uvu and packages bring as they are loaded: superfluous to a next file, and harmless. */
const ofPackages = /^(UVU_|__|URLPattern$)/;

/** How long what a file closed may take to be gone. */
const patienceTurns = 10;

/** Resolves, before the first file, to a check whether everything is as it was then. */
export async function createTraceCheck(): Promise<() => Promise<boolean>> {
  // From the first look on they count as open; what the start of the process closed is gone after a turn.
  for (const stream of [process.stdout, process.stderr]) stream.writable;
  await new Promise((resolve) => setImmediate(resolve));
  const state = readState();
  const values = readValues();
  const isAsBefore = () =>
    readState() === state && readValues().every((value, index) => value === values[index]);

  return async function isWithoutTraces() {
    for (let turn = 0; turn < patienceTurns && !isAsBefore(); turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 2));
    return isAsBefore();
  };
}

function readState(): string {
  return JSON.stringify([
    process.getActiveResourcesInfo().sort(),
    listeners(),
    process.env,
    process.cwd(),
    process.umask(),
    process.exitCode ?? null,
    Object.getOwnPropertyNames(globalThis).filter((name) => !ofPackages.test(name)),
  ]);
}

/** Packages wait for the exit from the moment they are loaded; only what that then does could matter, and is seen. */
function listeners(): unknown[] {
  const names = process.eventNames().filter((name) => name !== 'exit');
  return names.map((name) => [String(name), process.listenerCount(name)]);
}

/** Functions that tests replace by their own. */
function readValues(): unknown[] {
  const functions = [Date.now, Math.random, performance.now, process.exit, process.kill, process.hrtime];
  const streams = [process.stdout.write, process.stderr.write, process.emitWarning];
  const globals = replaceable.map((name) => globalThis[name]);
  return [...globals, ...functions, ...streams, ...Object.values(console)];
}
