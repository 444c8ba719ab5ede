/** Facts that any document tells: statuses of error codes, endpoints, sentences, names in the code, libraries. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayRoutes } from '../../../handlers/gateway/routes.ts';
import { managerRoutes } from '../../../handlers/manager/routes.ts';
import { failureKinds } from '../../../lib/failure.ts';
import { tableBelow } from '../../support/markdown-tables.ts';
import { listFiles, readText } from '../../support/source-files.ts';

const test = suite('facts of documents');

const paths = listFiles();
const documents = paths.filter((path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path) && path !== 'CHANGELOG.md');
const sources = paths.filter((path) => /^(lib|handlers|static|bin)\/.*\.(ts|js)$|^server\.ts$/.test(path));
const code = sources.map(readText).join('\n');

/** What a pattern finds in each document that is not as `isTrue` wants it. */
function wrong(pattern: RegExp, isTrue: (...found: string[]) => boolean, among = documents): string[] {
  return among.flatMap((path) => {
    const found = [...readText(path).matchAll(pattern)];
    return found.filter(([, ...groups]) => !isTrue(...groups)).map(([all]) => `${path}: ${all}`);
  });
}

/** Statuses that a place gives a code besides the one in the table. */
const otherStatuses: Readonly<Record<string, readonly string[]>> = {
  provision_failed: ['422', '503', '504'],
  storage_failed: ['507'],
  too_many_requests: ['503'],
};

test('error codes have the statuses that documents tell', () => {
  const statusOf = (name: string) => failureKinds[name as keyof typeof failureKinds]?.status;
  const isTrue = (status = '', name = '') =>
    statusOf(name) === undefined ||
    String(statusOf(name)) === status ||
    otherStatuses[name]?.includes(status) === true;

  assert.is(wrong(/\b([45]\d\d) `([a-z_]+)`/g, isTrue).join('\n'), '');
});

test('a code with a status is an error code, or a reason of the database', () => {
  const reasons = tableBelow(readText('docs/faults.md'), '# Faults of the database').map(([name]) => name);
  const isKnown = (name = '') => name in failureKinds || reasons.includes(`\`${name}\``);

  assert.is(wrong(/\b[45]\d\d `([a-z_]+)`/g, isKnown).join('\n'), '');
});

test('the endpoints that documents name are there', () => {
  const routes = [...managerRoutes().routes, ...gatewayRoutes().routes];
  /** The example of CONTRIBUTING.md. */
  const example = '/api/things';
  const isThere = (method = '', path = '') =>
    path === example ||
    routes.some(([known, pattern]) => known === method && pattern.test(path.replace(/[{<]\w+[}>]/g, 'x')));

  assert.is(wrong(/\b(GET|POST|PUT|DELETE) (\/[\w{}<>/.-]*[\w}>])/g, isThere).join('\n'), '');
});

test('the metrics that documents name are there', () => {
  assert.is(wrong(/`(svc_mcp_\w+)/g, (name = '') => code.includes(name)).join('\n'), '');
});

/** Each word may be what the code puts there: a number, a name, an address. */
function patternOf(sentence: string): RegExp {
  const words = sentence
    .trim()
    .replace(/(\d+) s\b/g, '$1s')
    .split(' ');
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\d+s?/g, '\\S*'));
  return new RegExp(escaped.map((word) => `(?:${word}|\\S*\\$\\{[^}]*\\}\\S*)`).join(' '));
}

test('the sentences in the table of failures of containers are in the code', () => {
  const rows = tableBelow(readText('docs/containers.md'), '## When something fails');
  const sentences = rows.flatMap(([seen = '']) =>
    [...seen.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text),
  );
  const missing = sentences.filter((text) => !text.split('…').every((part) => patternOf(part).test(code)));

  assert.ok(sentences.length > 12);
  assert.is(missing.join('\n'), '');
});

/** Of libraries, examples, and names that were not chosen. */
const notOurs = new Set([
  'AutoRouter',
  'withParams',
  'fetchAPI',
  'taskSupport',
  'REGISTRY_AUTH_GHCR_IO',
  'CRM__KEY',
]);

test('functions, fields and settings that decisions name are in the code', () => {
  const others = ['.env.example', 'package.json', 'Dockerfile'].map(readText);
  const known = [code, ...others, ...paths].join('\n');
  const isKnown = (name = '') =>
    notOurs.has(name) || name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(known));
  const decisions = documents.filter((path) => path.startsWith('docs/decisions/'));

  assert.is(wrong(/`(\w*(?:[a-z][A-Z]|_)[\w.]*)(?:\(\))?`/g, isKnown, decisions).join('\n'), '');
});

test('each library of the service is among those that were decided on', () => {
  const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> };
  const examples = ['everything', 'filesystem'].map((name) => `@modelcontextprotocol/server-${name}`);
  const decided = readText('docs/decisions/0007-libraries.md');

  for (const name of Object.keys(dependencies).filter((each) => !examples.includes(each))) {
    const short = name.replace('-prepopulatedfs', '');
    assert.match(decided, new RegExp(`(^|[\\s|(])${short}[\\s,;.)]`, 'm'), name);
  }
});

test('the versions that were pinned are the ones that are used', () => {
  const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> };
  const pinned = /\*\*(\S+) is pinned to ([\d.]+\d)(?:\.x)?[ .*]/g;

  assert.is([...readText('docs/decisions/0006-pinned-router-and-adapter.md').matchAll(pinned)].length, 2);
  assert.is(
    wrong(pinned, (name = '', version = '') => dependencies[name]?.startsWith(version) === true).join('\n'),
    '',
  );
});

test.run();
