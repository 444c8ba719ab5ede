import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../../lib/config/parse-server-config.ts';
import type { ShownImage } from '../../../../lib/containers/images/shown-images.ts';
import { Failure } from '../../../../lib/failure.ts';
import type { ImageChange } from '../../../../lib/registry/provisioning/image-change.ts';
import type { ImageChangeOptions, Registry } from '../../../../lib/registry/registry.ts';
import { createManagerFixture } from './manager-fixture.ts';

const test = suite('POST /api/servers/{name}/update and /rollback');

const change: ImageChange = {
  ...{ name: 'notes', outcome: 'changed', oldDigest: 'sha256:aa', newDigest: 'sha256:bb' },
  tools: { added: ['notes__comes'], removed: [], changed: ['notes__differs'] },
  ...{
    toolCount: 3,
    affectedGroups: { support: ['notes__differs'] },
    warnings: ['The local image is used.'],
  },
};
const update = { reference: 'a:1', oldDigest: 'sha256:aa', newDigest: 'sha256:bb', seenAt: new Date(0) };
const offerRecord = {
  ...{ reference: 'a:1', old_digest: 'sha256:aa', new_digest: 'sha256:bb' },
  seen_at: '1970-01-01T00:00:00.000Z',
};

/** A registry that changes images as the test says, and what it was asked for. */
function manager(answer: Partial<ImageChange> | Failure = {}) {
  const asked: [what: string, name: string, options?: ImageChangeOptions][] = [];
  const changing =
    (what: string): Registry['update'] =>
    async (name, options, { onStep }) => {
      asked.push([what, name, options]);
      onStep({ step: 'pull' });
      onStep({ step: 'compare' });
      if (answer instanceof Failure) throw answer;
      return { ...change, ...answer };
    };
  const registry: Partial<Registry> = {
    update: changing('update'),
    rollBack: changing('rollback'),
    async checkUpdate(name) {
      asked.push(['check', name]);
      return update;
    },
  };
  return { asked, fixture: createManagerFixture({ registry, allowedImages: ['mcp/*'] }) };
}

const plain = { discardData: false, dryRun: false, allowedImages: ['mcp/*'] };

test('the answer says how images and tools differ', async () => {
  const { fixture, asked } = manager();

  const { status, body } = await fixture.call('POST', '/api/servers/notes/update', {});

  assert.is(status, 200);
  assert.equal(asked, [['update', 'notes', plain]]);
  assert.equal(body, {
    success: true,
    message: 'Server notes is updated: 3 tools, 1 added, 1 changed.',
    name: 'notes',
    old_digest: 'sha256:aa',
    new_digest: 'sha256:bb',
    tools: change.tools,
    affected_groups: { support: ['notes__differs'] },
    tool_count: 3,
    warnings: ['The local image is used.'],
  });
});

test('no body asks for nothing special; one that is none is refused', async () => {
  const { fixture, asked } = manager();

  assert.is((await fixture.call('POST', '/api/servers/notes/update')).status, 200);
  assert.is((await fixture.call('POST', '/api/servers/notes/rollback')).status, 200);
  assert.is((await fixture.call('POST', '/api/servers/notes/update', '{')).body.code, 'parse_error');
  assert.is((await fixture.call('POST', '/api/servers/notes/update', {}, {})).status, 415);

  assert.equal(asked, [
    ['update', 'notes', plain],
    ['rollback', 'notes', plain],
  ]);
});

test('fields are read, and unknown ones refused', async () => {
  const { fixture, asked } = manager();

  await fixture.call('POST', '/api/servers/notes/update', { dry_run: true, discard_data: true });
  await fixture.call('POST', '/api/servers/notes/rollback', { discard_data: true });
  const refused = [
    await fixture.call('POST', '/api/servers/notes/update', { force: true }),
    await fixture.call('POST', '/api/servers/notes/update', { dry_run: 'yes' }),
    await fixture.call('POST', '/api/servers/notes/update', { check: true, dry_run: true }),
    await fixture.call('POST', '/api/servers/notes/rollback', { check: true }),
  ];

  assert.equal(asked, [
    ['update', 'notes', { ...plain, dryRun: true, discardData: true }],
    ['rollback', 'notes', { ...plain, discardData: true }],
  ]);
  for (const { status, body } of refused) assert.equal([status, body.code], [400, 'invalid_params']);
});

test('a check only asks, and answers with the available update', async () => {
  const { fixture, asked } = manager();

  const { body } = await fixture.call('POST', '/api/servers/notes/update', { check: true });

  assert.equal(asked, [['check', 'notes']]);
  assert.equal(body.update_available, offerRecord);
});

test('one that is current, and one that was only tried out, say so', async () => {
  const none = { tools: { added: [], removed: [], changed: [] }, affectedGroups: {}, warnings: [] };

  const same = await manager({ outcome: 'unchanged', ...none }).fixture.call(
    'POST',
    '/api/servers/notes/update',
  );
  const kept = await manager({ outcome: 'unchanged', ...none, warnings: ['It is away.'] }).fixture.call(
    'POST',
    '/api/servers/notes/update',
  );
  const tried = await manager({ outcome: 'tried' }).fixture.call('POST', '/api/servers/notes/rollback');

  assert.is(same.body.unchanged, true);
  assert.match(same.body.message, 'nothing was changed');
  assert.match(kept.body.message, 'no newer one could be had');
  assert.not.ok('affected_groups' in same.body || 'warnings' in same.body);
  assert.is(tried.body.dry_run, true);
  assert.match(tried.body.message, 'would be rolled back');
});

test('who accepts an event stream gets it step by step', async () => {
  const headers = { accept: 'text/event-stream' };

  const answer = await manager().fixture.fetch('/api/servers/notes/update', { method: 'POST', headers });
  const failed = await manager(new Failure('data_at_risk', 'Files.')).fixture.fetch(
    '/api/servers/notes/update',
    { method: 'POST', headers },
  );

  const events = [...(await answer.text()).matchAll(/^event: (.*)\ndata: (.*)$/gm)];
  assert.equal(
    events.map(([, type]) => type),
    ['step', 'step', 'done'],
  );
  const done = JSON.parse(events.at(-1)?.[2] ?? '');
  assert.equal([done.success, done.new_digest], [true, 'sha256:bb']);
  assert.match(await failed.text(), /event: failed\ndata: .*"code":"data_at_risk"/);
});

test('what the registry refuses is answered with its status', async () => {
  const details = { paths: ['/data/a'], count: 1 };
  const { fixture } = manager(new Failure('data_at_risk', 'Files.', { details }));

  const { status, body } = await fixture.call('POST', '/api/servers/notes/update');

  assert.equal([status, body.code, body.details], [409, 'data_at_risk', details]);
});

test('records tell of the newer image and the one before', async () => {
  const shown: ShownImage = { availableUpdate: update, previous: { reference: 'a:1', digest: 'sha256:00' } };
  const looks: string[] = [];
  const fixture = createManagerFixture({
    shownImages: {
      refresh: async () => void looks.push('look'),
      of: (name) => (name === 'notes' ? shown : undefined),
    },
  });
  for (const name of ['notes', 'other']) {
    await fixture.catalog.store(parseServerConfig({ name, transport: 'stdio', image: 'a:1' }), []);
  }

  const { body } = await fixture.call('GET', '/api/servers');
  const one = await fixture.call('GET', '/api/servers/notes');

  const [notes, other] = body.servers;
  assert.equal([notes.update_available, notes.previous_image], [offerRecord, shown.previous]);
  assert.not.ok('update_available' in other);
  assert.equal(one.body.server.update_available, offerRecord);
  assert.is(looks.length, 2);
});

test.run();
