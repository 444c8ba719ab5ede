#!/usr/bin/env node
// Runs the command line from its TypeScript sources.
import { importTypeScript } from './import-typescript.js';

const { run } = await importTypeScript('lib/cli/run.ts');

// A reader that has seen enough (`gateway list tools | head`) is no failure.
process.stdout.on('error', (error) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

/** @param {string} question Anything but a yes is a no. */
async function ask(question) {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // At the end of the input there is no answer, ever.
  const ended = new Promise((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), ended]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

process.exitCode = await run(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
});
