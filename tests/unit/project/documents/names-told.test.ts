/** What documents tell people to type, to ask for and to expect: commands, paths and codes that are there. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayRoutes } from '../../../../handlers/gateway/routes.ts';
import { managerRoutes } from '../../../../handlers/manager/routes.ts';
import { main } from '../../../../lib/cli/main.ts';
import { clientConfiguration, clientNames } from '../../../../lib/clients/client-configuration.ts';
import { failureKinds } from '../../../../lib/failure.ts';
import { listFiles, readText } from '../../../support/source-files.ts';
import { tableUnder } from './markdown-tables.ts';

const test = suite('names in the documents');

/** Decisions and the list of changes are history. */
const documents = listFiles().filter(
  (path) => /^(\w+|docs\/[\w-]+)\.md$/.test(path) && path !== 'CHANGELOG.md',
);

/** `path: found` for each match of `pattern` that `isWrong`; its groups are what it is asked about. */
function wrongIn(pattern: RegExp, isWrong: (...groups: string[]) => boolean): string[] {
  return documents.flatMap((path) =>
    [...readText(path).matchAll(pattern)]
      .filter(([, ...groups]) => isWrong(...groups.map((group = '') => group)))
      .map(([found]) => `${path}: ${found}`),
  );
}

/** Statuses that a code has somewhere instead of that of the table. */
const otherStatuses: Readonly<Record<string, readonly number[]>> = {
  too_many_requests: [503],
  provision_failed: [422, 503, 504],
};

function hasStatus(code: string, status: number): boolean {
  const kinds: Readonly<Record<string, { readonly status: number }>> = failureKinds;
  return kinds[code]?.status === status || (otherStatuses[code] ?? []).includes(status);
}

/** `details.reason` of a 503 (docs/faults.md has their table). */
const reasons = tableUnder(readText('docs/faults.md'), 'Faults of the database').map(([reason = '']) =>
  reason.replaceAll('`', ''),
);

test('a code that stands behind a status has that status', () => {
  const pattern = /\b([45]\d\d) `([a-z_]+)`/g;
  const found = documents.flatMap((path) => [...readText(path).matchAll(pattern)]);

  assert.ok(found.length > 50);
  assert.ok(reasons.length > 5);
  assert.equal(
    wrongIn(pattern, (status = '', code = '') => {
      const isReason = status === '503' && reasons.includes(code);
      return !isReason && !hasStatus(code, Number(status));
    }),
    [],
  );
});

test('another status of a code is one that the code gives it', () => {
  const sources = listFiles()
    .filter((path) => path.startsWith('lib/'))
    .map(readText)
    .join('\n');
  for (const [code, statuses] of Object.entries(otherStatuses)) {
    const thrower = code === 'provision_failed' ? 'provisionFailed\\(' : `Failure\\(\\s*'${code}'`;
    for (const status of statuses)
      assert.match(sources, new RegExp(`${thrower}[^;]*status: ${status}`), `${status} ${code}`);
  }
});

test('a path behind a method is an endpoint', () => {
  const routes = [...managerRoutes().routes, ...gatewayRoutes().routes];
  const isEndpoint = (method: string, path: string) =>
    routes.some(
      ([name, pattern]) => name === method && pattern.test(path.replaceAll(/[{<](\w+)[}>]/g, '$1')),
    );
  const pattern = /\b(GET|POST|PUT|DELETE) (\/[\w/{}<>.-]+)/g;
  const examples = ['/api/things'];

  assert.ok(isEndpoint('GET', '/api/servers/{name}/logs'));
  assert.not.ok(isEndpoint('PUT', '/api/servers/{name}/logs'));
  assert.equal(
    wrongIn(pattern, (method = '', path = '') => !examples.includes(path) && !isEndpoint(method, path)),
    [],
  );
});

test('a path of the API that is named alone is an endpoint', () => {
  const routes = [...managerRoutes().routes, ...gatewayRoutes().routes];
  const pattern = /`(\/(?:api|v0|healthz|readyz|metrics)\b[\w/{}<>.-]*)`/g;

  assert.equal(
    wrongIn(pattern, (path = '') => !routes.some(([, route]) => route.test(path.replaceAll(/[{<}>]/g, '')))),
    [],
  );
});

/** What `svc-mcp <words> --help` prints; undefined for a command that is not there. */
async function help(...words: readonly string[]): Promise<string | undefined> {
  let text = '';
  const code = await main([...words, '--help'], {
    ...{ environment: {}, directory: '.', command: 'svc-mcp', startCommand: 'npm start', version: '0' },
    stdout: (part) => {
      text += part;
    },
    stderr: () => {},
  });
  return code === 0 ? text : undefined;
}

test('commands of `svc-mcp` exist, with the options that are shown', async () => {
  const overview = (await help()) ?? '';
  const verbs = [...overview.matchAll(/^ {2}(\w+) .*$/gm)].map(([, verb = '']) => verb);
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (const path of documents) {
    for (const [found, verb = '', rest = ''] of readText(path).matchAll(
      /(?:`|^|\| |npx )(?:npx )?svc-mcp ([a-z]+)\b([^`|\n]*)/gm,
    )) {
      seen.add(verb);
      const text = verbs.includes(verb) ? ((await help(verb)) ?? '') : '';
      const options = [...rest.matchAll(/(?<= )--?[a-z][a-z-]*/g)].map(([option]) => option);
      const missing = options.filter((option) => !new RegExp(`[ ,]${option}\\b`).test(text));
      if (text === '' || missing.length > 0) wrong.push(`${path}: ${found.trim()}`);
    }
  }

  assert.ok(verbs.includes('expose'));
  assert.ok(seen.size >= 8, [...seen].join());
  assert.equal(wrong, []);
});

test('the README names each client that `svc-mcp client` knows', () => {
  const [, first = '', others = ''] =
    /npx svc-mcp client (\w+) +# or ([\w, -]+);/.exec(readText('README.md')) ?? [];

  assert.equal(
    [first, ...others.split(', ')].sort(),
    clientNames.map((name) => (name === 'claude-desktop' ? 'claude' : name)).sort(),
  );
});

test('the README shows what `svc-mcp client` prints', () => {
  const readme = readText('README.md');
  const target = {
    ...{ group: 'svc-global', endpoint: 'http://127.0.0.1:3700/v0/groups/svc-global/mcp' },
    needsToken: false,
  };
  for (const name of ['claude-code', 'cursor', 'vscode', 'claude-desktop'] as const) {
    const { label, file = '', text } = clientConfiguration(name, target);
    for (const part of [label, file, `\n${text}\n`]) assert.ok(readme.includes(part), `${name}: ${part}`);
  }
});

test('CONTRIBUTING lists every script of package.json that people run, and no other', () => {
  const { scripts } = JSON.parse(readText('package.json'));
  const named = tableUnder(readText('CONTRIBUTING.md'), 'Commands').flatMap((cells) =>
    [...cells.join(' ').matchAll(/`(?:[^`]*&& )?(?:npm (?:run )?)?((?:test|bundle):[\w-]+|[a-z]+)`/g)].map(
      ([, name = '']) => name,
    ),
  );
  /** Parts of `npm run check` and of `npm pack`. */
  const within = ['format:check', 'prepack', 'postpack'];

  assert.equal(
    Object.keys(scripts).filter((name) => !named.includes(name) && !within.includes(name)),
    [],
  );
  assert.equal(
    named.filter((name) => !(name in scripts)),
    [],
  );
});

test.run();
