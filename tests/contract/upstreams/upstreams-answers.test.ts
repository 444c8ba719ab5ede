/** Long answers, in whatever shape: large ones pass, and one that is too much fails its call and nothing else. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits } from '../../../lib/config/server-config.ts';
import {
  answeringServerPath,
  createUpstreamFixture,
  failureOf,
  type ListeningServer,
  serverConfig,
  startListening,
} from '../../support/upstream-fixture.ts';

const test = suite('answers of servers');

const megabytes = 1_000_000;
const { upstreams, call, close } = createUpstreamFixture();
const limits = { ...defaultLimits, lineBytes: 16_777_216 };
const program = { command: process.execPath, limits };
let http: ListeningServer;

test.before(async () => {
  http = await startListening(answeringServerPath);
  const url = `http://127.0.0.1:${http.port}/mcp`;
  upstreams.install(serverConfig({ name: 'stdio', ...program, args: [answeringServerPath] }));
  upstreams.install(serverConfig({ name: 'http', transport: 'streamable_http', url }));
});

test.after(async () => {
  await close();
  await http.kill();
});

for (const [way, server, as] of [
  ['a line', 'stdio', 'line'],
  ['a body', 'http', 'json'],
  ['an event', 'http', 'events'],
] as const) {
  const answer = (shape: string, bytes: number, more = {}) =>
    call(server, 'answer', { shape, bytes, as, ...more });

  test(`${way} of 15 MB of text passes byte for byte`, async () => {
    for (const [shape, character, each] of [
      ['text', 'x', 1],
      ['wide', '漢', 3],
    ] as const) {
      const count = (15 * megabytes) / each;
      const expected = `{"content":[{"type":"text","text":"${character.repeat(count)}"}]}`;
      const found = await answer(shape, 15 * megabytes);
      assert.ok('result' in found && found.result === expected, shape);
    }
  });

  test(`${way} that says that the tool failed is known to say so, however long`, async () => {
    const [failed, worked] = [await answer('failed', 100_000), await answer('text', 100_000)];

    assert.equal(
      [failed, worked].map((one) => 'isError' in one && one.isError),
      [true, false],
    );
  });

  test(`${way} that is too deep or has too many elements fails that call alone`, async () => {
    const before = await call(server, 'answer', { shape: 'text', bytes: 1 });
    const underWay = answer('text', 5, { after_ms: 500 });
    const deep = await failureOf(answer('nested', 2 * megabytes));
    const many = await Promise.all(
      ['objects', 'members', 'keys', 'doubled'].map((shape) => failureOf(answer(shape, 5 * megabytes))),
    );

    assert.is(
      deep.message,
      `The answer of the server "${server}" was refused: it nests deeper than 128 levels.`,
    );
    for (const { code, message } of many) {
      assert.is(
        message,
        `The answer of the server "${server}" was refused: it has more than 250000 elements.`,
      );
      assert.is(code, 'upstream_unavailable');
    }
    assert.equal(await underWay, { result: '{"content":[{"type":"text","text":"xxxxx"}]}' });
    assert.equal(await answer('text', 1), before);
    assert.is(upstreams.status(server)?.state, 'connected');
  });
}

for (const [count, reason] of [
  [124_000, 'it lists more than 10000 tools'],
  [200_000, 'it has more than 250000 elements'],
] as const) {
  test(`a list of ${count} tools is refused with its bound`, async () => {
    const args = [answeringServerPath, '--list', String(count)];
    const failure = await failureOf(upstreams.prepare(serverConfig({ name: 'many', ...program, args })));

    assert.match(failure.message, reason);
  });
}

test.run();
