#!/usr/bin/env node
// Runs the command line from its TypeScript sources: Node from 22.18 on reads them itself, Node 20 through tsx.

if (!process.features.typescript) {
  const { register } = await import('tsx/esm/api');
  register();
}
const { main } = await import('../lib/cli/main.ts');

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
