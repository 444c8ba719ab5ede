/** The import rules of the house and what must never stand in the tree; each test is one rule. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  listFiles,
  readImports,
  readSource,
  readText,
  type SourceFile,
  withoutComments,
} from '../../support/source-files.ts';

const test = suite('architecture');

const paths = listFiles();
const sources = paths.filter((path) => /\.(ts|js|mjs)$/.test(path)).map(readSource);
const shipped = sources.filter(({ path }) => /^(server\.ts$|lib\/|handlers\/)/.test(path));

const nodeOnly =
  /^(node:|(pg|pino|pino-pretty|prom-client|chokidar|write-file-atomic|dockerode|commander|tsx|esbuild|ws)(\/|$)|@whatwg-node\/server|@electric-sql\/|@modelcontextprotocol\/sdk\/client\/(stdio|sse))/;

function isNodeFile(path: string): boolean {
  return path === 'server.ts' || path.startsWith('lib/cli/') || /\/node-[^/]+$/.test(path);
}

/** `file → import` for every import that breaks the rule. */
function breaches(files: readonly SourceFile[], isForbidden: (target: string, path: string) => boolean) {
  return files.flatMap(({ path, imports }) =>
    imports.filter(({ target }) => isForbidden(target, path)).map(({ target }) => `${path} → ${target}`),
  );
}

function inFolder(folder: string): SourceFile[] {
  return sources.filter(({ path }) => path.startsWith(folder));
}

test('the walk sees imports of every form', () => {
  const text = [
    "import a from 'a';",
    "import type { B } from './b.ts';",
    "import {\n  c,\n} from '../c.ts';",
    "import 'd';",
    "export { e } from './e.ts';",
    "const f = await import('f');",
    "// import g from 'g';",
  ].join('\n');

  assert.equal(
    readImports('lib/x/y.ts', text).map(({ target }) => target),
    ['a', 'lib/x/b.ts', 'lib/c.ts', 'd', 'lib/x/e.ts', 'f'],
  );
  assert.ok(shipped.length > 10);
});

test('lib never imports handlers, tests or the composition root', () => {
  assert.equal(
    breaches(inFolder('lib/'), (target) => /^(handlers|tests|bench|scripts)\/|^server\.ts$/.test(target)),
    [],
  );
});

/** The files behind endpoints; others in `handlers/` say what those read and answer. */
const endpoints = new Set(
  inFolder('handlers/')
    .filter(({ path }) => path.endsWith('/routes.ts'))
    .flatMap(({ imports }) => imports.map(({ target }) => target))
    .filter((target) => target.startsWith('handlers/') && !target.endsWith('/context.ts')),
);

test('handlers import only lib, packages and what is beside them, and each other only in routes.ts', () => {
  const isOther = (target: string, path: string) => endpoints.has(target) && !path.endsWith('/routes.ts');

  assert.ok(endpoints.size > 30);
  assert.equal(breaches(inFolder('handlers/'), isOther), []);
  assert.equal(
    breaches(inFolder('handlers/'), (target) => /^(tests|bench|scripts)\/|^server\.ts$/.test(target)),
    [],
  );
});

test('what only Node has is imported only by server.ts, lib/cli and node-*.ts', () => {
  const portable = shipped.filter(({ path }) => !isNodeFile(path));

  assert.equal(
    breaches(portable, (target) => nodeOnly.test(target)),
    [],
  );
});

test('portable files do not import Node files, but for their types', () => {
  const reaching = shipped
    .filter(({ path }) => !isNodeFile(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((one) => !one.isTypeOnly && isNodeFile(one.target))
        .map(({ target }) => `${path} → ${target}`),
    );

  assert.equal(reaching, []);
});

test('lib/mcp does no I/O: of the other rooms it imports types, failures and plain functions', () => {
  const doesIo = (target: string) =>
    nodeOnly.test(target) || /\/(node|edge)-|^lib\/(database|cli)\//.test(target);
  const calls = inFolder('lib/mcp/').filter(({ text }) => /\b(fetch|WebSocket|XMLHttpRequest)\(/.test(text));

  assert.equal(breaches(inFolder('lib/mcp/'), doesIo), []);
  assert.equal(
    calls.map(({ path }) => path),
    [],
  );
});

test('the context of the gateway set has no way to containers', () => {
  const { text } = readSource('handlers/gateway/context.ts');
  const context = /interface GatewayContext \{([\s\S]*?)\n\}/.exec(text)?.[1] ?? '';

  assert.match(context, 'readonly');
  assert.not.match(context, /container|docker|registry/i);
  assert.equal(
    breaches(inFolder('handlers/gateway/'), (target) => target.startsWith('lib/containers/')),
    [],
  );
});

test('nothing waits by a clock that people set: the wall clock is for telling and for the age of files', () => {
  const allowed = [
    'lib/files/node-leftovers.ts', // ages of files
    'lib/observe/call-records.ts', // tells people when a call was
    'lib/upstreams/create-upstreams.ts', // ids of calls that grow over restarts of the service
  ];
  const offenders = shipped
    .filter(({ path, text }) => /\bDate\.now\b/.test(text) && !allowed.includes(path))
    .map(({ path }) => path);

  assert.equal(offenders, []);
});

test('the file of an endpoint begins with its HTTP method', () => {
  const odd = [...endpoints].filter((path) => !/\/(get|post|put|delete)-[^/]+$/.test(path));

  assert.equal(odd, []);
});

test('there are no barrel files', () => {
  const isBarrel = ({ path, text }: SourceFile) =>
    /\/index\.[tj]s$/.test(path) || /^export (\*|\{[^}]*\}) from /m.test(text);

  assert.equal(
    sources.filter(isBarrel).map(({ path }) => path),
    [],
  );
});

test('there are no default exports but in entries for edge hosts', () => {
  const offenders = sources.filter(
    ({ path, text }) => /^export default /m.test(text) && !/(^|\/)edge-[^/]+$/.test(path),
  );

  assert.equal(
    offenders.map(({ path }) => path),
    [],
  );
});

const [, mostLines = '', mostOfHandler = ''] =
  /at most (\d+) lines[^.]*?; handlers (\d+);/.exec(readText('CONTRIBUTING.md')) ?? [];

test('a handler has at most as many lines as CONTRIBUTING says', () => {
  const long = inFolder('handlers/').filter(
    ({ path, lines }) => endpoints.has(path) && lines > Number(mostOfHandler),
  );

  assert.match(mostOfHandler, /^\d+$/);

  assert.equal(
    long.map(({ path, lines }) => `${path}: ${lines}`),
    [],
  );
});

test('so has any other file', () => {
  const long = [...shipped, ...inFolder('static/')].filter(
    ({ path, lines }) => !path.startsWith('static/vendor/') && lines > Number(mostLines),
  );

  assert.match(mostLines, /^\d+$/);

  assert.equal(
    long.map(({ path, lines }) => `${path}: ${lines}`),
    [],
  );
});

test('files are named in kebab-case', () => {
  const odd = sources.filter(({ path }) => !/^[a-z0-9.-]+$/.test(path.split('/').at(-1) ?? ''));

  assert.equal(
    odd.map(({ path }) => path),
    [],
  );
});

test('every test file runs a suite', () => {
  const forgetful = paths
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => !/\.run\(\);/.test(readText(path)));

  assert.equal(forgetful, []);
});

test('no test is left alone with .only', () => {
  const lonely = paths.filter(
    (path) => path.endsWith('.test.ts') && /^\s*test\.only\(/m.test(readText(path)),
  );

  assert.equal(lonely, []);
});

test('nothing names a path of one machine', () => {
  const machinePath = /(^|[^\w./-])\/(work|farm|root)\//;

  assert.equal(
    textFiles().filter((path) => machinePath.test(readText(path))),
    [],
  );
});

test('no sentence has our command as a constant: how it is typed depends on where (docs/decisions/0019)', () => {
  const verbs = inFolder('lib/cli/').flatMap(({ text }) =>
    [...text.matchAll(/\.command\('([a-z]+)/g)].map(([, verb = '']) => verb),
  );
  assert.ok(verbs.includes('expose'), verbs.join(' '));
  const bareCommand = new RegExp(`(?<![\\w/.-])gateway (${verbs.join('|')})\\b`);
  const breaks = [...shipped, ...inFolder('static/')].filter(({ text }) =>
    bareCommand.test(withoutComments(text)),
  );

  assert.equal(
    breaks.map(({ path }) => path),
    [],
  );
});

test('the lock file and the tree name no registry but the public one', () => {
  const addresses = readText('package-lock.json').matchAll(/"resolved": "(?:git\+)?(\w+:\/\/[^/"]+)/g);
  const foreign = [...addresses]
    .map(([, host]) => host)
    .filter((host) => host !== 'https://registry.npmjs.org');

  assert.equal([...new Set(foreign)], []);
  assert.not.ok(paths.includes('.npmrc'));
});

test('no secrets file is tracked', () => {
  assert.equal(
    paths.filter((path) => /(^|\/)(\.env|secrets\.env)$|\.(pem|key)$/.test(path)),
    [],
  );
});

/** Text that we wrote: no binaries, no generated lock file, and not this list of forbidden words itself. */
function textFiles(): string[] {
  return paths.filter(
    (path) => !/\.(gz|tgz|br|png|ico|woff2?)$|^package-lock\.json$|architecture\.test\.ts$/.test(path),
  );
}

test.run();
