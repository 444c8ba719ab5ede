import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('log');

/** What a process wrote that made a log and did this with it. */
function linesOf(code: string, level = 'info'): Record<string, unknown>[] {
  const module = new URL('../../../lib/observe/node-log.ts', import.meta.url).href;
  const program = `import { createLog } from '${module}'; const log = createLog('${level}', false); ${code}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.is(stderr, '');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('one JSON line per event, forged ones impossible, written before an exit', () => {
  const lines = linesOf(`
    log.debug({}, 'not shown');
    log.info({ client: 'x\\nERROR forged line \\u001b[31m' }, 'first');
    log.error({ error: new TypeError('broken') }, 'second');
    process.exit(0);`);

  assert.is(lines.length, 2);
  const [first, second] = lines;
  assert.equal(
    [first?.level, first?.msg, first?.client],
    ['info', 'first', 'x\nERROR forged line \u001b[31m'],
  );
  assert.match(String(first?.time), /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.is('pid' in (first ?? {}), false);
  const error = second?.error as { type: string; message: string; stack: string };
  assert.equal([second?.level, error.type, error.message], ['error', 'TypeError', 'broken']);
  assert.match(error.stack, 'TypeError: broken');
});

test.run();
