import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { toReference } from '../../../lib/config/references.ts';
import { literalPlaces, moveLiterals, withoutLiterals } from '../../../lib/config/secret-literals.ts';

const test = suite('literal values');

const nothingInUse = { existing: new Set<string>(), ofOthers: new Set<string>(), own: new Set<string>() };
const stdio = (env: Record<string, string>, name = 'my.demo') =>
  parseServerConfig({ name, transport: 'stdio', command: 'a', env });

test('become references named after the server and the variable', () => {
  const config = parseServerConfig({
    name: 'my-api.v2',
    transport: 'streamable_http',
    url: 'http://a/',
    headers: { 'X-Api-Key': 'k' },
    bearer_token: 't',
  });

  const { config: moved, values } = moveLiterals(config, undefined, nothingInUse);

  assert.equal(
    [...values],
    [
      ['MY_API_V2__X_API_KEY', 'k'],
      ['MY_API_V2__BEARER_TOKEN', 't'],
    ],
  );
  assert.is(moved.headers['X-Api-Key'], toReference('MY_API_V2__X_API_KEY'));
  assert.is(moved.bearerToken, toReference('MY_API_V2__BEARER_TOKEN'));
});

test('references, whole or in part, and empty values stay as they are', () => {
  const config = stdio({ A: toReference('KEY'), B: `Bearer ${toReference('KEY')}`, C: '' });

  const { config: moved, values } = moveLiterals(config, undefined, nothingInUse);

  assert.equal(moved, config);
  assert.is(values.size, 0);
  assert.equal(literalPlaces(config), []);
});

test('a name that is in use for something else gets a number', () => {
  const inUse = {
    existing: new Set(['DEMO__A', 'DEMO__A_2']),
    ofOthers: new Set<string>(),
    own: new Set<string>(),
  };

  const { values } = moveLiterals(stdio({ A: 'v' }, 'demo'), undefined, inUse);

  assert.equal([...values.keys()], ['DEMO__A_3']);
});

test('two places with one name do not share a secret', () => {
  const { values } = moveLiterals(stdio({ key: '1', KEY: '2' }, 'demo'), undefined, nothingInUse);

  assert.equal(
    [...values],
    [
      ['DEMO__KEY', '1'],
      ['DEMO__KEY_2', '2'],
    ],
  );
});

test('a place that held a reference to an own secret keeps its name', () => {
  const previous = stdio({ A: toReference('DEMO__A_2') }, 'demo');
  const existing = new Set(['DEMO__A', 'DEMO__A_2']);
  const inUse = { existing, ofOthers: new Set<string>(), own: new Set(['DEMO__A_2']) };

  const { values } = moveLiterals(stdio({ A: 'new' }, 'demo'), previous, inUse);

  assert.equal([...values], [['DEMO__A_2', 'new']]);
});

test('a reference of the operator, or one that another server shares, is never overwritten', () => {
  const previous = stdio({ A: toReference('GITHUB_TOKEN'), B: toReference('DEMO__B') }, 'demo');
  const inUse = {
    existing: new Set(['GITHUB_TOKEN', 'DEMO__B']),
    ofOthers: new Set(['DEMO__B']),
    own: new Set(['DEMO__B']),
  };

  const { values } = moveLiterals(stdio({ A: '1', B: '2' }, 'demo'), previous, inUse);

  assert.equal([...values.keys()], ['DEMO__A', 'DEMO__B_2']);
});

test('a secret that is not its own, whatever its name, is not overwritten', () => {
  const previous = stdio({ A: toReference('DEMO__A') }, 'demo');
  const inUse = { existing: new Set(['DEMO__A']), ofOthers: new Set<string>(), own: new Set<string>() };

  const { values } = moveLiterals(stdio({ A: 'new' }, 'demo'), previous, inUse);

  assert.equal([...values.keys()], ['DEMO__A_2']);
});

test('a secret that another place goes on reading is not overwritten', () => {
  const at = (host: string, headers: Record<string, string>) =>
    parseServerConfig({ name: 'demo', transport: 'streamable_http', url: `http://${host}/`, headers });
  const host = toReference('DEMO__A');
  const inUse = { existing: new Set(['DEMO__A']), ofOthers: new Set<string>(), own: new Set(['DEMO__A']) };

  const { values } = moveLiterals(at(host, { A: 'elsewhere.example' }), at(host, { A: host }), inUse);

  assert.equal([...values.keys()], ['DEMO__A_2']);
});

test('what stands behind the question mark of an address is a secret, whatever it is called', () => {
  const at = (url: string) => parseServerConfig({ name: 'demo', transport: 'sse', url });
  const config = at(`https://a.example/p?k=1%2F2&k=3&ref=${toReference('KEY')}&empty=&bare#end`);

  const { config: moved, values } = moveLiterals(config, undefined, nothingInUse);
  const again = moveLiterals(at('https://a.example/p?k=new&k=3'), moved, {
    ...nothingInUse,
    existing: new Set(values.keys()),
    own: new Set(values.keys()),
  });

  assert.equal(
    [...values],
    [
      ['DEMO__K', '1%2F2'],
      ['DEMO__K_2', '3'],
      ['DEMO__QUERY', 'bare'],
      ['DEMO__FRAGMENT', 'end'],
    ],
  );
  const [first, second, bare, end] = [...values.keys()].map(toReference);
  assert.is(
    moved.url,
    `https://a.example/p?k=${first}&k=${second}&ref=${toReference('KEY')}&empty=&${bare}#${end}`,
  );
  assert.is(withoutLiterals(config).url, `https://a.example/p?k=&k=&ref=${toReference('KEY')}&empty=&#`);
  assert.equal(
    [...again.values],
    [
      ['DEMO__K', 'new'],
      ['DEMO__K_2', '3'],
    ],
  );
  assert.equal(literalPlaces(config), ['url.k', 'url.k', 'url.query', 'url.fragment']);
});

test('a server whose name starts with a digit gets names that a variable can have', () => {
  const { values } = moveLiterals(stdio({ A: 'v' }, '7zip'), undefined, nothingInUse);

  assert.equal([...values.keys()], ['_7ZIP__A']);
});

test('the form for the database keeps the names and loses the values', () => {
  const config = parseServerConfig({
    name: 'x',
    transport: 'streamable_http',
    url: 'http://a/',
    headers: { A: 'secret', B: toReference('KEY') },
    bearer_token: 'secret',
  });

  const stored = withoutLiterals(config);

  assert.equal(stored.headers, { A: '', B: toReference('KEY') });
  assert.is(stored.bearerToken, '');
  assert.equal(literalPlaces(config), ['headers.A', 'bearer_token']);
});

test.run();
