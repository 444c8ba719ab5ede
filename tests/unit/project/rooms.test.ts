/** Rooms have an order (docs/architecture.md): an import may only go down, types included. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findCircles } from '../../support/find-circles.ts';
import { listFiles, readAllImports, readText } from '../../support/source-files.ts';

const test = suite('rooms');

const page = readText('docs/architecture.md');
const list = /```rooms\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const rooms: readonly string[] = list.split('\n').flatMap((line) => /^\S+/.exec(line) ?? []);

const sources = listFiles().filter(
  (path) =>
    /^(lib|handlers|static|bin)\/.*\.(ts|js|mjs)$|^server\.ts$/.test(path) && !path.endsWith('.d.mts'),
);
const imports = new Map(
  sources.map((path) => [path, readAllImports(path).filter((target) => sources.includes(target))]),
);

function roomOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'lib' || top === 'static' ? `${top}/${second}` : top;
}

/** `a` and `b` of every import that leaves its room. */
function* ties(): Generator<{ file: string; target: string; from: string; to: string }> {
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from !== to) yield { file, target, from, to };
    }
  }
}

/** Why this import must not be; undefined: it goes down. */
function breach({ file, target, from, to }: { file: string; target: string; from: string; to: string }) {
  if (rooms.indexOf(to) < rooms.indexOf(from)) return undefined;
  return (
    `${file} imports ${target}, but "${to}" comes after "${from}" in the list of docs/architecture.md. ` +
    `Move what is needed down to where both may see it, declare the type where it is used, ` +
    `or let "${to}" hand it over as an argument.`
  );
}

test('every folder of sources is a room of the list, and every room of the list is there', () => {
  const there = new Set(sources.filter((path) => !path.startsWith('static/')).map(roomOf));

  assert.ok(rooms.length > 20, 'docs/architecture.md has its list of rooms');
  assert.equal([...there].sort(), [...rooms].sort());
});

test('an import goes down the list of rooms, types included', () => {
  const breaches = [...ties()]
    .filter(({ from }) => !from.startsWith('static'))
    .flatMap((tie) => breach(tie) ?? []);

  assert.is(breaches.join('\n'), '');
});

test('the sentence names the import, both rooms and what helps', () => {
  const tie = {
    ...{ file: 'lib/json/check.ts', target: 'lib/mcp/endpoint.ts' },
    ...{ from: 'lib/json', to: 'lib/mcp' },
  };

  assert.match(breach(tie) ?? '', /lib\/json\/check\.ts imports lib\/mcp\/endpoint\.ts/);
  assert.match(breach(tie) ?? '', /"lib\/mcp" comes after "lib\/json"/);
  assert.is(breach({ ...tie, from: tie.to, to: tie.from }), undefined);
});

test('no rooms import each other in a circle, those of the page neither', () => {
  const graph = new Map<string, Set<string>>(sources.map((path) => [roomOf(path), new Set()]));
  for (const { from, to } of ties()) graph.get(from)?.add(to);

  assert.equal(findCircles(graph), []);
});

test('no files import each other in a circle', () => {
  assert.ok([...imports.values()].flat().length > 1000);
  assert.equal(findCircles(imports), []);
});

test('circles are found', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ]);

  assert.equal(findCircles(graph), [['a', 'b', 'c']]);
});

test.run();
