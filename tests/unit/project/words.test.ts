/** Names are the field's (CONTRIBUTING.md, Words of ours): each test is one rule. */
import { basename } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles, readText } from '../../support/source-files.ts';

const test = suite('words');

/** A private word that the code once had, and what to say instead. */
const privateWords: readonly (readonly [RegExp, string])[] = [
  [/news/, 'message'],
  [/wish(es)?/, 'request, or the log level and subscriptions of a session'],
  [/doors?/, 'listener'],
  [/offers?/, 'feature, or available update'],
  [/(im)?patience/, 'timeout, or slow-call timer'],
  [/unasked/, 'unsolicited, or server notification'],
  [/keeper/, 'store'],
  [/parts/, 'services, or dependencies'],
  [/endings|closings/, 'pending closes'],
  [/last-?words/, 'fallback answer, or last lines'],
  [/tells?|told|heard|hears?/, 'publish, receive, report'],
  [/in-turn/, 'mutex'],
];

const paths = listFiles();
const sources = paths.filter((path) => /^(lib|handlers|bin|static)\/.*\.(ts|js)$|^server\.ts$/.test(path));

/** Names of files, folders and exports, in kebab-case. */
function namesIn(path: string): string[] {
  const folders = path.split('/').slice(0, -1);
  const exported = readText(path).matchAll(
    /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm,
  );
  const dashed = [...exported].map(([, name = '']) =>
    name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase(),
  );
  return [...folders, basename(path).replace(/\.\w+$/, ''), ...dashed];
}

function privateWordIn(name: string): string | undefined {
  for (const [word, instead] of privateWords) {
    if (new RegExp(`(^|-)(${word.source})(-|$)`).test(name)) return `"${name}": say ${instead}`;
  }
  return undefined;
}

test('files, folders and exports are named in the words of the field', () => {
  const found = sources.flatMap((path) =>
    namesIn(path).flatMap((name) => {
      const problem = privateWordIn(name);
      return problem === undefined ? [] : `${path}: ${problem}`;
    }),
  );

  assert.is(found.join('\n'), '');
});

test('a private word is found in any name', () => {
  assert.is(privateWordIn('server-news'), '"server-news": say message');
  assert.is(privateWordIn('open-doors'), '"open-doors": say listener');
  assert.is(privateWordIn('indoors'), undefined);
});

test('no two files export different things under one name', () => {
  const exporters = new Map<string, string[]>();
  for (const path of sources.filter((one) => !one.startsWith('static/'))) {
    for (const [, name = ''] of readText(path).matchAll(
      /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm,
    )) {
      exporters.set(name, [...new Set([...(exporters.get(name) ?? []), path])]);
    }
  }
  const twins = [...exporters].filter(([, where]) => where.length > 1);

  assert.is(twins.map(([name, where]) => `${name}: ${where.join(', ')}`).join('\n'), '');
});

/** `a/{b,c}` stands for `a/b` and `a/c`. */
function alternatives(path: string): string[] {
  const [, before = path, listed, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  return listed === undefined ? [path] : listed.split(',').map((each) => before + each + after);
}

test('documents name folders and modules that are there', () => {
  /** Examples of CONTRIBUTING.md. */
  const examples = /\/things\b/;
  const isThere = (name: string) => {
    const begun = name
      .replace(/\/$/, '')
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^/]*');
    const pattern = new RegExp(`^${begun}(?:$|/|(?:\\.test)?\\.[jt]s$|-[\\w-]+\\.md$)`);
    return paths.some((path) => pattern.test(path));
  };
  const missing = paths
    .filter((path) => /^(docs\/.*|[A-Z]+)\.md$/.test(path) && path !== 'CHANGELOG.md')
    .flatMap((path) => {
      const named = readText(path).matchAll(
        /`((?:lib|handlers|static|bin|tests|scripts|bench|docs)\/[^`\s<…]+)`/g,
      );
      const names = [...named].flatMap(([, name = '']) => alternatives(name));
      return names
        .filter((name) => !examples.test(name) && !isThere(name))
        .map((name) => `${path}: \`${name}\``);
    });

  assert.is(missing.join('\n'), '');
});

test.run();
