import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { layerData } from '../../../lib/containers/store/data-at-risk.ts';

const test = suite('data in the writable layer');

test('a file counts, the folders above it do not', () => {
  assert.equal(layerData(['/data', '/data/notes', '/data/notes/b.json', '/data/notes/a.json']), {
    paths: ['/data/notes/a.json', '/data/notes/b.json'],
    count: 2,
  });
});

test('what programs throw away is nobody’s loss', () => {
  const changed = [
    '/tmp',
    '/tmp/a',
    '/srv',
    '/srv/.cache',
    '/srv/.cache/x',
    '/srv/.npm/_logs/1',
    '/run/a.pid',
  ];

  assert.is(layerData(changed), undefined);
});

test('what the engine adds for itself, and where it mounts something, is no data', () => {
  const changed = ['/sbin', '/sbin/docker-init', '/app', '/app/deep', '/srv', '/srv/data'];

  assert.is(layerData(changed, ['/app/deep', '/srv/data']), undefined);
  assert.equal(layerData([...changed, '/app/mine'], ['/app/deep', '/srv/data'])?.paths, ['/app/mine']);
});

test('the first twenty are named, all are counted', () => {
  const many = Array.from({ length: 30 }, (_, at) => `/data/${at}`);

  assert.equal([layerData(many)?.paths.length, layerData(many)?.count], [20, 30]);
});

test.run();
