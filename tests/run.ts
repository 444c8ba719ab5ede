/**
 * The test runner: `node --import tsx tests/run.ts [kind…] [path filter…]`; kinds are in `run/find-tests.ts`.
 * Ends with one line, `N passed, N failed`, and exit code 1 on any failure. What counts as a failure is in
 * `run/judge.ts`; a run that finds no file at all has failed as well.
 */
import { fileURLToPath } from 'node:url';
import { bundleTests } from './run/bundle-tests.ts';
import { besideEachOther, budgets, findTests, type Kind, readSelection } from './run/find-tests.ts';
import { orderFiles } from './run/order-files.ts';
import { describeResult, sumLine, sumOf } from './run/print.ts';
import type { FileResult } from './run/report.ts';
import { createSharedProcess, endRunningFiles, runFile } from './run/run-file.ts';
import { makeSharedEmbedded } from './run/shared-embedded.ts';
import { startSharedPostgres } from './run/shared-postgres.ts';

const waitingLanes = 2;
const testsDir = fileURLToPath(new URL('.', import.meta.url));
const selection = readSelection(process.argv.slice(2));
const files = new Map(
  selection.kinds.map((kind) => [kind, findTests(testsDir, kind, selection.filters)] as const),
);

const empty = [...files].filter(([, paths]) => paths.length === 0).map(([kind]) => kind);
const isFiltered = selection.filters.length > 0;
const nothingFor = isFiltered && empty.length < files.size ? [] : empty;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.once('exit', endRunningFiles);

const results = await runAll();
const startedEmpty = nothingFor.length;
for (const kind of nothingFor)
  console.log(`FAIL no test file found for ${kind} ${selection.filters.join(' ')}`);
const sum = sumOf([...results, { passed: 0, failed: startedEmpty, skipped: 0 }]);
console.log(sumLine(sum));
process.exitCode = sum.failed > 0 ? 1 : 0;

async function runAll(): Promise<FileResult[]> {
  const wantPostgres: readonly Kind[] = [
    'contract',
    'end-to-end',
    'faults',
    'conformance',
    'readme',
    'proxies',
  ];
  const hasOneOf = (wanted: readonly Kind[]) => wanted.some((kind) => (files.get(kind)?.length ?? 0) > 0);
  const postgres = hasOneOf(wantPostgres) ? await startSharedPostgres() : undefined;
  const making = hasOneOf(['contract']) ? makeSharedEmbedded() : Promise.resolve(undefined);
  const env = making.then((embedded) => ({ ...postgres?.env, ...embedded?.env }));
  try {
    const all: FileResult[] = [];
    const alone = [...files.keys()].filter((kind) => !besideEachOther.includes(kind));
    for (const kinds of [besideEachOther, ...alone.map((kind) => [kind])]) {
      all.push(...(await runBesideEachOther(kinds, env)));
    }
    return all;
  } finally {
    await postgres?.stop();
    await (await making)?.remove();
  }
}

/**
 * Each of those that run at the same time begins with another kind, so that what waits and what computes meet. Files
 * that do hardly anything but wait have two lanes more, and those that must not run at the same time are all in the first lane.
 */
async function runBesideEachOther(
  kinds: readonly Kind[],
  environment: Promise<NodeJS.ProcessEnv>,
): Promise<FileResult[]> {
  const chosen = kinds.flatMap((kind) => {
    const paths = files.get(kind) ?? [];
    return paths.length > 0 ? [{ kind, ...orderFiles(paths) }] : [];
  });
  const queued = chosen.map(({ kind, working }) => ({ kind, paths: working }));
  const patient = chosen.map(({ kind, waiting }) => ({ kind, paths: waiting }));
  const first = chosen.map(({ kind, inTurn }) => ({ kind, paths: inTurn }));
  const done: FileResult[] = [];
  const [bundles, env] = await Promise.all([
    bundleTests(kinds.flatMap((kind) => files.get(kind) ?? [])),
    environment,
  ]);
  const tell = (results: readonly FileResult[]) => {
    for (const result of results) console.log(describeResult(result));
    done.push(...results);
  };
  const work = async (queues: typeof queued) => {
    const shared = createSharedProcess();
    for (const { kind, paths } of queues) {
      const { limitMs, shareProcess } = budgets[kind];
      for (let file = paths.shift(); file !== undefined; file = paths.shift()) {
        const options = { limitMs, env, bundle: bundles.of(file) };
        tell(shareProcess ? await shared.run(file, options) : [await runFile(file, options)]);
      }
    }
    tell(await shared.end());
  };
  const parallel = Math.max(0, ...queued.map(({ kind }) => budgets[kind].parallel));
  const working = rotations(queued, parallel).map((queues, lane) =>
    lane === 0 ? [...first, ...queues] : queues,
  );
  const waiting = rotations(patient, waitingLanes);
  try {
    await Promise.all([...working, ...waiting].map(work));
    return done;
  } finally {
    bundles.remove();
  }
}

/** So many lanes over the same queues, each beginning with the next of them. */
function rotations<Queue>(queues: readonly Queue[], lanes: number): Queue[][] {
  return Array.from({ length: lanes }, (_, lane) => {
    const first = lane % queues.length;
    return [...queues.slice(first), ...queues.slice(0, first)];
  });
}
