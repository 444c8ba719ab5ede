#!/usr/bin/env node
// Runs the command line from its TypeScript sources.
import { importTypeScript } from './import-typescript.js';

const { main } = await importTypeScript('lib/cli/main.ts');

// A reader that has seen enough (`gateway list tools | head`) is no failure.
process.stdout.on('error', (error) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await main(process.argv.slice(2), {
  environment: process.env,
  directory: '.',
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
});
