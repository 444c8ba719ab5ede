import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig, toDocument } from '../../../lib/config/parse-server-config.ts';
import { Failure } from '../../../lib/failure.ts';

const test = suite('fields of a container');

const image = (changes: Record<string, unknown> = {}) => ({
  ...{ name: 'x', transport: 'stdio', image: 'acme/x:1' },
  ...changes,
});

/** The sentence a document is refused with. */
function refusalOf(changes: Record<string, unknown>): string {
  try {
    parseServerConfig(image(changes));
  } catch (error) {
    assert.instance(error, Failure);
    return (error as Failure).message;
  }
  return 'it was accepted';
}

test('the file form leaves defaults out and reads back the same', () => {
  const document = image({
    network: 'none',
    read_only: true,
    user: '1000:1000',
    entrypoint: ['node', 'server.js'],
    pull: 'never',
    volumes: [
      { path: '/data' },
      { path: '/work', source: '/srv/a b', read_only: true },
      { path: '/db', source: 'my.data_1' },
    ],
    shm_mb: 128,
    capabilities: ['CHOWN', 'NET_BIND_SERVICE'],
  });

  assert.equal(toDocument(parseServerConfig(document)), document);
  assert.equal(
    toDocument(parseServerConfig(image({ pull: 'always', volumes: [], capabilities: [] }))),
    image(),
  );
});

test('paths inside are absolute, plain, and each there once', () => {
  for (const path of [
    'data',
    './data',
    '/',
    '/a/',
    '/a//b',
    '/a/../b',
    '/a:b',
    '/a,b',
    '/a\nb',
    `/a/\${B}`,
    '',
  ]) {
    assert.match(
      refusalOf({ volumes: [{ path }] }),
      /^Field `volumes\.0\.path`: expected an absolute path/,
      path,
    );
  }
  assert.match(refusalOf({ volumes: [{ path: '/a' }, { path: '/a', source: 'b2' }] }), 'paths that differ');
  assert.match(
    refusalOf({ volumes: Array.from({ length: 257 }, (_, at) => ({ path: `/${at}` })) }),
    'at most 256',
  );
});

test('a source is an absolute path of the host, or the name of a volume', () => {
  for (const source of [
    './data',
    '../data',
    '~/data',
    'a/b',
    'C:\\data',
    '/a:/b',
    '/a/../b',
    '-x',
    'x',
    `/a/\${B}`,
    '',
  ]) {
    const refusal = refusalOf({ volumes: [{ path: '/a', source }] });
    assert.match(refusal, /^Field `volumes\.0\.source`: expected an absolute path of the host/, source);
  }
  assert.is(refusalOf({ volumes: [{ path: '/a', type: 'bind' }] }), 'Unknown field `volumes.0.type`.');
});

test('an entrypoint has a program, and capabilities are those that an engine gives by default', () => {
  assert.match(refusalOf({ entrypoint: [] }), 'whose first element is the program');
  assert.match(refusalOf({ entrypoint: 'node' }), 'an array');
  for (const capability of ['SYS_ADMIN', 'CAP_CHOWN', 'chown', 'ALL']) {
    assert.match(refusalOf({ capabilities: [capability] }), /^Field `capabilities\.0`/, capability);
  }
});

test('they have no use without an image', () => {
  for (const field of [
    { volumes: [{ path: '/a' }] },
    { entrypoint: ['a'] },
    { pull: 'never' },
    { shm_mb: 1 },
  ]) {
    assert.match(refusalOf({ ...field, image: undefined, command: 'a' }), 'a server without an `image`');
  }
});

test.run();
