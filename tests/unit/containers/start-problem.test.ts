import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { startProblemFields } from '../../../lib/containers/transports/container-start.ts';

const test = suite('what the log says of a container that did not start');

test('nothing of environment, arguments and entrypoint, which the engine repeats', () => {
  const config = parseServerConfig({
    ...{ name: 'demo', transport: 'stdio', image: 'mcp/demo:1' },
    ...{ entrypoint: ['/run-with-key-1'], args: ['--key-2'], env: { A: 'key-3' } },
  });

  const { reason } = startProblemFields(
    config,
    new Error('exec: "/run-with-key-1" "--key-2" A=key-3: not found'),
  );

  assert.is(reason, 'exec: "***" "***" A=***: not found');
});

test.run();
