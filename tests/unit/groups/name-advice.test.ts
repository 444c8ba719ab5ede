import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createNameAdvice, type NameAdvice } from '../../../lib/groups/names/name-advice.ts';

const test = suite('names that model providers refuse');

function named(fullName: string) {
  return { fullName, name: fullName.slice(fullName.indexOf('__') + 2) };
}

/** By full name. */
function adviceOn(names: readonly string[], exposed: Record<string, string> = {}) {
  const advise = createNameAdvice({ exposedNames: new Map(Object.entries(exposed)) }, names.map(named));
  return Object.fromEntries(
    names.map((name): [string, NameAdvice | undefined] => [name, advise(named(name))]),
  );
}

function suggestion(name: string, others: readonly string[] = [], exposed = {}): string | undefined {
  return adviceOn([name, ...others], exposed)[name]?.suggestion;
}

const problem = (name: string, exposed = {}) => adviceOn([name], exposed)[name]?.problem;

test('a lawful name needs no other', () => {
  for (const name of ['a__b', 'A-1__x_Y-9', `a__${'x'.repeat(57)}`])
    assert.is(problem(name), undefined, name);
});

test('a name may be refused for its length alone', () => {
  const isLong = (name: string, exposed = {}) => adviceOn([name], exposed)[name]?.isLong;
  assert.is(isLong(`a__${'x'.repeat(58)}`), true);
  assert.is(isLong(`a__${'x'.repeat(62)}`), true);
  assert.is(isLong(`a__${'.'.repeat(62)}`), false);
  assert.is(isLong('a__b c'), false);
  assert.is(isLong('a__b c', { 'a__b c': 'x'.repeat(61) }), true);
});

test('the problem names what is refused, in a sentence', () => {
  const refused = 'Model providers refuse its name because of';
  const allowed = 'they take letters, digits, "_" and "-".';
  assert.is(problem('crm__get.user'), `${refused} ".": ${allowed}`);
  assert.is(problem('go__greet (a, b)'), `${refused} " ", "(", "," and others: ${allowed}`);
  assert.is(problem('crm.eu__list'), `${refused} ".": ${allowed}`, "the server's name is part of it");
  assert.is(problem(`a__${'x'.repeat(62)}`), `${refused} its 65 characters: 64 are the most.`);
  assert.is(problem(`a__${'x'.repeat(58)}`), 'Some clients drop it: its name is longer than 60 characters.');
  assert.is(
    problem('a__b\nc'),
    'Agents do not see it: its name has line breaks or other characters that cannot be seen.',
  );
});

test('the name that agents of the group see is what counts', () => {
  assert.is(problem('crm__get.user', { 'crm__get.user': 'get_user' }), undefined);
  assert.match(problem('crm__get', { crm__get: 'get it' }) ?? '', /because of " "/);
  assert.is(
    suggestion('crm__get', [], { crm__get: 'get it' }),
    'get_it',
    'what was chosen is kept as far as it goes',
  );
});

test('a suggestion can be read', () => {
  const readable = {
    'crm__get.user': 'crm_get_user',
    'go__greet (structured)': 'go_greet_structured',
    'crm.eu__list': 'crm_eu_list',
    'shop__prix/éléments': 'shop_prix_elements',
    'shop__ｆｕｌｌ．width': 'shop_full_width',
    'a__--b!': 'a_--b',
    'a__b\nc': 'a_b_c',
    [`a__${'x'.repeat(99)}`]: `a_${'x'.repeat(58)}`,
  };
  for (const [name, wanted] of Object.entries(readable)) assert.is(suggestion(name), wanted, name);
});

test('names that read the same get a mark each, in whatever order they are listed', () => {
  const alike = ['crm__get.user', 'crm__get user', 'crm__get/user'];
  const one = adviceOn(alike);
  const other = adviceOn([...alike].reverse());

  const suggestions = alike.map((name) => one[name]?.suggestion ?? '');
  assert.is(new Set(suggestions).size, 3);
  for (const each of suggestions) assert.match(each, /^crm_get_user_[a-z0-9]{6}$/);
  assert.equal(one, other);
});

test('of a name without a letter the rest is left', () => {
  const [one, other] = [
    suggestion('shop__购物车', ['shop__结账']),
    suggestion('shop__结账', ['shop__购物车']),
  ];
  assert.match(one ?? '', /^shop_tool_[a-z0-9]{6}$/);
  assert.is.not(one, other);
  assert.is(suggestion('shop__购物车'), 'shop_tool');
});

test('a name that is given already is not suggested', () => {
  const taken = { other__tool: 'crm_get_user' };
  assert.match(suggestion('crm__get.user', [], taken) ?? '', /^crm_get_user_[a-z0-9]{6}$/);
});

const anyName = fc
  .tuple(
    fc.constantFrom('a', 'a.b', 'a-b', 'x'.repeat(30)),
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 80 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.constantFrom('get.user', 'get user', 'get__user', '_', '.', '购', 'y'.repeat(200)),
    ),
  )
  .map(([server, tool]) => `${server}__${tool}`);

test('suggestions are lawful, all different, and no tool’s full name, whatever the names', () => {
  const property = fc.property(
    fc.uniqueArray(anyName, { minLength: 1, maxLength: 20 }),
    fc.array(fc.nat(19), { maxLength: 5 }),
    (names, given) => {
      const first = adviceOn(names);
      const exposed = new Map<string, string>();
      for (const at of given) {
        const name = names[at % names.length] ?? '';
        const suggested = first[name]?.suggestion;
        if (suggested !== undefined) exposed.set(name, suggested);
      }
      const left = adviceOn(names, Object.fromEntries(exposed));
      for (const name of names) {
        if (!exposed.has(name))
          assert.equal(left[name], first[name], 'what others are shown as changes nothing');
      }
      const visible = names.map((name) => left[name]?.suggestion ?? exposed.get(name) ?? name);
      assert.is(new Set(visible).size, names.length);
      for (const name of visible) assert.match(name, /^[a-zA-Z0-9_-]{1,60}$/);
      for (const name of names) {
        const suggested = left[name]?.suggestion;
        if (suggested !== undefined) assert.not.match(suggested, /__/);
      }
    },
  );
  fc.assert(property, { numRuns: 500 });
});

test('thousands of names are advised on in no time that anybody notices', () => {
  const names = Array.from({ length: 3_000 }, (_, at) => `a.b__tool ${at}`);
  const found = adviceOn(names);
  assert.is(new Set(Object.values(found).map((advice) => advice?.suggestion)).size, names.length);
});

test.run();
