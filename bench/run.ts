/**
 * `npm run bench [-- --quick] [-- --only list,stdio | --against DIR]`: starts the service beside the harness of
 * `../shared/bench`, measures in turns and prints each figure with its target. See `README.md`.
 * Exit code 1 when something could not be measured; a missed target is printed, not an error.
 */
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startSharedPostgres } from '../tests/run/shared-postgres.ts';
import type { Figure, Measurement } from './figure.ts';
import { againstVersion } from './figures/against.ts';
import { large, progress } from './figures/content.ts';
import { hostileAnswers } from './figures/hostile-answers.ts';
import { httpBack, stdioBack } from './figures/recovery.ts';
import { idle, setup, start } from './figures/sessions.ts';
import { stalled } from './figures/stalled.ts';
import { http, list, stdio, steady } from './figures/throughput.ts';
import { createStage, type Stage } from './stage.ts';

const measurements = [
  list,
  stdio,
  http,
  setup,
  progress,
  large,
  steady,
  stalled,
  hostileAnswers,
  stdioBack,
  httpBack,
  start,
  idle,
];

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    harness: { type: 'string' },
    against: { type: 'string' },
  },
});
const harnessDir = values.harness ?? fileURLToPath(new URL('../../shared/bench', import.meta.url));
const wanted = values.only?.split(',');
const unknown = wanted?.filter((name) => !measurements.some((one) => one.name === name)) ?? [];
const chosen = measurements.filter(({ name }) => !wanted || wanted.includes(name));

if (unknown.length > 0) {
  console.error(`No figure is called ${unknown.join(', ')}; there are ${names()}.`);
  process.exitCode = 2;
} else if (!existsSync(harnessDir)) {
  console.log('bench: skipped, the harness is not here (../shared/bench, or --harness DIR)');
} else {
  process.exitCode = await bench(values.against ? [againstVersion(values.against)] : chosen);
}

async function bench(figures: readonly Measurement[]): Promise<number> {
  const postgres = await startSharedPostgres();
  Object.assign(process.env, postgres.env);
  const database = process.env.TEST_POSTGRES_URL ? 'postgres' : 'embedded';
  // mcpload runs only under its real path: it compares its own address with the command line.
  const stage = await createStage({ harnessDir: realpathSync(harnessDir), isQuick: values.quick, database });
  console.log(
    `Node ${process.versions.node}, database ${database}${values.quick ? ', quick: figures are rough' : ''}`,
  );
  try {
    let missing = 0;
    for (const measurement of figures) if (!(await printFigures(measurement, stage))) missing += 1;
    return missing > 0 ? 1 : 0;
  } finally {
    await stage.remove();
    await postgres.stop();
  }
}

/** @returns whether the figures could be measured. */
async function printFigures({ name, measure }: Measurement, stage: Stage): Promise<boolean> {
  try {
    for (const figure of await measure(stage)) console.log(line(figure));
    return true;
  } catch (error) {
    console.log(`not measured  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function line({ name, ours, target, holds, note }: Figure): string {
  const figure = `${name.padEnd(60)} ${ours.padStart(14)}   wanted ${target.padEnd(12)}`;
  return `${holds ? 'holds ' : 'MISSED'}  ${figure}${note ? ` (${note})` : ''}`;
}

function names(): string {
  return measurements.map(({ name }) => name).join(', ');
}
