/** What the engine kept of a stdio server's output, told apart from its protocol. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containerSpec } from '../../lib/containers/store/make-container.ts';
import { inlineProgram } from '../support/inline-server.ts';
import { openTestbed } from '../support/testbed.ts';
import { serverConfig } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the log of a stdio server in a container');
const bed = await openTestbed();

if (bed) {
  const { containers, name } = bed;
  const message = `const message = (text) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } }) + '\\n');`;

  async function start(base: string, program: string): Promise<string> {
    const config = serverConfig({ name: name(base), ...inlineProgram(message + program) });
    const identity = { name: `svc-mcp-${name(base)}`, sessionId: undefined, configHash: 'h' };
    const id = await containers.create(containerSpec(config, identity));
    await containers.start(id);
    return id;
  }

  const isOver = (id: string) =>
    waitUntil('it has ended', async () => (await containers.inspect(id))?.exitCode === 0, {
      limitMs: 60_000,
    });

  test.before(() => containers.pull(inlineProgram('').image, () => {}, new AbortController().signal));
  test.after(() => bed.close());

  test('is read to its beginning, when all that the engine keeps is protocol', async () => {
    const id = await start(
      'full',
      `for (let i = 0; i < 3; i++) console.error('early ' + i);
       for (let i = 0; i < 9000; i++) message('x'.repeat(1000));`,
    );
    await isOver(id);

    const startedAt = performance.now();
    assert.equal(await containers.logs(id, 2, 'besides-protocol'), ['early 1', 'early 2']);
    console.log(`  ${Math.round(performance.now() - startedAt)} ms for 9 MB`);
    await containers.remove(id);
  });

  test('has text of standard output, marked, and no message or part of one', async () => {
    const id = await start(
      'stray',
      `console.log('Starting up'); message('private-1'); console.error('careful');
       process.stdout.write('Loading '); message('private-2');
       console.log('{"level":30,"msg":"ready"}'); message('private-3'.repeat(9000)); message('private-4');`,
    );
    await isOver(id);

    // The engine reads the two outputs side by side, so only the order within each is known.
    const lines = await containers.logs(id, 50, 'besides-protocol');
    const written = ['[stdout] Starting up', '[stdout] {"level":30,"msg":"ready"}'];
    assert.equal(
      lines.filter((line) => line !== 'careful'),
      written,
    );
    assert.is(lines.length, written.length + 1);
    assert.match((await containers.logs(id, 50, 'all')).join(), 'private-1');
    await containers.remove(id);
  });

  test('is followed the same way', async () => {
    const id = await start(
      'follow',
      `setInterval(() => { message('private'); console.log('beat'); console.error('careful'); }, 50)`,
    );
    const enough = new AbortController();
    const lines = new Set<string>();
    const following = containers.followLogs(id, 'besides-protocol', (line) => lines.add(line), enough.signal);
    await waitUntil('both come', () => lines.size >= 2);
    enough.abort();
    await following;

    assert.equal([...lines].sort(), ['[stdout] beat', 'careful']);
    await containers.remove(id);
  });
} else {
  test.skip('the test bed is not there', () => {});
}

test.run();
