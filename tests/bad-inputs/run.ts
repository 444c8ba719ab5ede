/**
 * Runs every bad input against the real service over bare sockets:
 * `node --import tsx tests/bad-inputs/run.ts [--cases FILE] [part of an id…]`.
 * Fails when any answer is not the preferred one, unless it is tolerated and argued for in `argued-exceptions.ts`, or
 * when the service's event loop stood still for more than 100 ms.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../support/service-command.ts';
import { type BadInput, readCases } from './case.ts';
import { judgeAll } from './judge-all.ts';
import { printReport } from './print-report.ts';

const words = process.argv.slice(2);
const option = words.indexOf('--cases');
const path = option < 0 ? join(projectDir, '../shared/bad-inputs.json') : (words[option + 1] ?? '');
const parts = words.filter((_, index) => option < 0 || (index !== option && index !== option + 1));

if (existsSync(path)) {
  const isChosen = ({ id }: BadInput) => parts.length === 0 || parts.some((part) => id.includes(part));
  process.exitCode = printReport(await judgeAll(readCases(path).filter(isChosen)));
} else {
  console.log(`bad inputs: skipped, ${path} does not exist`);
  console.log('0 passed, 0 failed, 1 skipped');
}
