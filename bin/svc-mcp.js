#!/usr/bin/env node
// Runs the command line.
import { importProgram } from './import-program.js';

const { run } = await importProgram('cli');

// A reader that closes the pipe early (`svc-mcp list tools | head`) is no failure.
const onClosedPipe = (error) => process.exit(error.code === 'EPIPE' ? 0 : 1);
process.stdout.on('error', onClosedPipe);

/** Turns this process into the service. @param {string | undefined} home The folder that it is to live in. */
async function startService(home) {
  process.stdout.off('error', onClosedPipe);
  if (home !== undefined) process.env.GATEWAY_HOME = home;
  process.argv.splice(2);
  await importProgram('server');
}

/** @param {string} question Any answer but yes means no. */
async function ask(question) {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // After the end of the input no answer comes.
  const ended = new Promise((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), ended]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** @param {string} question @param {{ isHidden: boolean }} how */
async function askText(question, { isHidden }) {
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const output = isHidden ? unseen : process.stderr;
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  terminal.on('SIGINT', () => process.exit(130));
  const ended = new Promise((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(''), ended]);
  terminal.close();
  if (isHidden) process.stderr.write('\n');
  return answer;
}

process.exitCode = await run(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  startService,
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask, askText } : {}),
});
