import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { complaintOf, lastLines, tellingLine } from '../../../lib/upstreams/connection/last-lines.ts';

const test = suite('the last lines of a server that did not start');

/** As each kind of program says it; the line that says why is the first element. */
const outputs: Record<string, readonly [string, string]> = {
  'Node, an uncaught error': [
    'Error: API_KEY is not set',
    `/srv/server.js:3
  throw new Error('API_KEY is not set');
  ^

Error: API_KEY is not set
    at Object.<anonymous> (/srv/server.js:3:9)
    at Module._compile (node:internal/modules/cjs/loader:1554:14)
    at node:internal/main/run_main_module:36:49

Node.js v20.19.0`,
  ],
  'Node, a module that is not there': [
    "Error: Cannot find module '/srv/missing.js'",
    `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/missing.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at node:internal/main/run_main_module:36:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.19.0`,
  ],
  'Node, in colours after a banner': [
    'Missing required environment variable: GITHUB_TOKEN',
    'Starting server v1.2…\n\\x1b[31mMissing required environment variable: GITHUB_TOKEN\\x1b[0m\nExiting.',
  ],
  'Python, one error after another': [
    'ValueError: API_KEY is not set',
    `Traceback (most recent call last):
  File "/srv/server.py", line 2, in <module>
    os.environ["API_KEY"]
KeyError: 'API_KEY'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/server.py", line 4, in <module>
    raise ValueError("API_KEY is not set")
ValueError: API_KEY is not set`,
  ],
  argparse: [
    'server.py: error: the following arguments are required: --db',
    'usage: server.py [-h] --db DB\nserver.py: error: the following arguments are required: --db',
  ],
  npm: [
    'npm error 404 Not Found - GET https://registry.example/none - Not found',
    `npm error code E404
npm error 404 Not Found - GET https://registry.example/none - Not found
npm error 404
npm error 404 Note that you can also install from a tarball, folder, http url, or git folder.
npm error A complete log of this run can be found in: /srv/.npm/_logs/debug-0.log`,
  ],
  'Go, a panic': [
    'panic: DATABASE_URL is empty',
    'panic: DATABASE_URL is empty\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:8 +0x2c\nexit status 2',
  ],
  Rust: [
    'Error: environment variable not found',
    "thread 'main' panicked at src/main.rs:4:5:\nnote: run with `RUST_BACKTRACE=1`\nError: environment variable not found",
  ],
  'a shell': ['sh: 1: mcp-server: not found', 'sh: 1: mcp-server: not found'],
  'a structured log': [
    '{"level":"fatal","msg":"no token given"}',
    '{"level":"info","msg":"starting"}\n{"level":"fatal","msg":"no token given"}\n{"level":"info","msg":"bye"}',
  ],
  'a prompt': ['Enter your API key:', 'Welcome to the server\nEnter your API key:'],
};

for (const [what, [telling, text]] of Object.entries(outputs)) {
  test(`the telling line is the one that says why: ${what}`, () => {
    assert.is(tellingLine(lastLines(text.split('\n'))), telling);
  });
}

test('nothing written tells nothing, nor do lines of a stack alone', () => {
  assert.is(tellingLine([]), undefined);
  assert.is(tellingLine(['    at Object.<anonymous> (/srv/server.js:3:9)', '', '    ^']), undefined);
});

test('a greeting or a question is no complaint', () => {
  for (const lines of [['Listening on stdio'], ['Enter your API key:'], ['{"level":"info","msg":"up"}']]) {
    assert.is(complaintOf(lines), undefined);
    assert.is(tellingLine(lines), lines[0]);
  }
  assert.is(complaintOf(['Listening', 'Error: no key', 'Bye']), 'Error: no key');
});

test('at most 20 lines are kept, the last ones, each of at most 500 characters, without colours', () => {
  const lines = Array.from({ length: 50 }, (_, at) => `\\x1b[1;31mline ${at}\\x1b[0m\\x1b]0;title\\x07`);

  const kept = lastLines([...lines, 'x'.repeat(4_000), '  ']);

  assert.is(kept.length, 20);
  assert.is(kept[0], 'line 31');
  assert.is(kept.at(-1)?.length, 500);
  assert.ok(kept.at(-1)?.endsWith('x…'));
});

test.run();
