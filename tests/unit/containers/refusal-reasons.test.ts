import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startRefusal } from '../../../lib/containers/docker/engine-failures.ts';

const test = suite('why an engine refuses a container');

for (const [text, names] of [
  [
    'OCI runtime create failed: runc create failed: exec: "/x/y": stat /x/y: no such file or directory: unknown',
    '`entrypoint`',
  ],
  ['OCI runtime create failed: exec: "tool": executable file not found in $PATH: unknown', '`entrypoint`'],
  ['OCI runtime create failed: exec: "/data": permission denied: unknown', 'may not be executed'],
  ['unable to find user nobody-of-that-name: no matching entries in passwd file', '`user`'],
  ['Minimum memory limit allowed is 6MB', '`limits.memory_mb`'],
  ['Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available', '`limits.cpus`'],
  ['invalid mount config for type "bind": bind source path does not exist: /home/x', '`volumes`'],
  ['No command specified', 'no command'],
  ['something new', 'the log says why'],
] as const) {
  test(text, () => {
    assert.match(startRefusal(text), names);
    assert.not.match(startRefusal(text), /home|nobody/);
  });
}

test.run();
