/** What happens to a start when the process has no file descriptor left; tried in a process that may be used up. */

import { execFile } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectDir } from '../../support/service-command.ts';

const test = suite('no descriptors left');

const script = `
  import { openSync, closeSync } from 'node:fs';
  import { createStdioOpener } from './lib/upstreams/transports/stdio/node-stdio-transport.ts';
  const config = { name: 'x', transport: 'stdio', command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'], limits: { lineBytes: 1000 } };
  const open = createStdioOpener({ environmentOf: () => ({}) });
  const taken = [];
  try { for (;;) taken.push(openSync('/dev/null', 'r')); } catch {}
  const ended = new Promise((resolve) => open(config, { onMessage() {}, onStderr() {}, onClose: resolve }));
  const why = await ended;
  for (const one of taken) closeSync(one);
  const second = open(config, { onMessage() {}, onStderr() {}, onClose() {} });
  process.stdout.write(JSON.stringify({ why, pid: second.pid > 0 }));
  await second.close();
`;

test('a child that cannot be started for want of descriptors is told of, and the next one starts', async () => {
  const command = `ulimit -n 200; exec "$0" --import tsx --input-type=module -e "$1"`;
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
    (resolve) =>
      execFile('sh', ['-c', command, process.execPath, script], { cwd: projectDir }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, stdout: out, stderr: err }),
      ),
  );

  assert.is(stderr, '');
  assert.is(code, 0);
  assert.equal(JSON.parse(stdout), {
    why: 'its process could not be started: this service has no file descriptors left',
    pid: true,
  });
});

test.run();
