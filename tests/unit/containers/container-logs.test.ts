import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { knownValues } from '../../../lib/config/secret-references.ts';
import { createContainerLogs } from '../../../lib/containers/store/container-logs.ts';
import { containerSpec } from '../../../lib/containers/store/make-container.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Secrets } from '../../../lib/secrets/secrets.ts';
import { createScriptedContainers } from '../../support/scripted-containers.ts';
import { failureOf, reference, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('the lines that the engine kept');

const config = serverConfig({
  name: 'files',
  image: 'tool:1',
  env: { TOKEN: reference('TOKEN'), MISSING: reference('MISSING'), LITERAL: 'literal-value' },
});

/** A container that wrote these lines, and goes on with them. */
async function setUp(lines: readonly string[], read: Secrets['read']) {
  const engine = createScriptedContainers();
  const name = 'svc-mcp-files';
  await engine.create(containerSpec(config, { name, sessionId: undefined, configHash: 'h' }));
  return createContainerLogs({
    containers: {
      logs: async () => lines,
      followLogs: async (_id, _stream, onLine) => lines.forEach((line) => void onLine(line)),
    },
    states: { current: () => engine.named(name).facts },
    secretsOf: () => knownValues(config, { read }),
  });
}

test('show no value that is known, though another one is missing', async () => {
  const logs = await setUp(
    ['token-value and literal-value'],
    async () => new Map([['TOKEN', 'token-value']]),
  );
  const followed: string[] = [];
  await logs.followLogs('files', (line) => followed.push(line), new AbortController().signal);

  assert.equal(await logs.logs('files', 10), ['*** and ***']);
  assert.equal(followed, ['*** and ***']);
});

test('are not shown while it is not known what to hide in them', async () => {
  const logs = await setUp(['token-value'], async () => {
    throw new Failure('internal', 'away');
  });
  const followed: string[] = [];
  const { signal } = new AbortController();

  assert.is((await failureOf(logs.logs('files', 10))).message, 'away');
  assert.is(
    (await failureOf(logs.followLogs('files', (line) => followed.push(line), signal))).message,
    'away',
  );
  assert.equal(followed, []);
});

test.run();
