import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PullPolicy } from '../../../lib/config/server-config.ts';
import type { ImageFacts } from '../../../lib/containers/containers.ts';
import {
  engineUnavailable,
  imageUnknown,
  pullFailure,
} from '../../../lib/containers/docker/engine-failures.ts';
import { pullByPolicy } from '../../../lib/containers/images/present-image.ts';
import { failureOf } from '../../support/upstream-fixture.ts';

const test = suite('pulling as told');

const image = 'registry.example/tool:1';
const facts = (id: string): ImageFacts => ({ id, ports: [], volumes: [], digests: ['tool@sha256:1'] });
const away = pullFailure({ image, isUnderWay: false, credentials: { troubles: [] } }, 'connection refused');
const refused = pullFailure({ image, isUnderWay: false, credentials: { troubles: [] } }, 'denied');
const midway = pullFailure({ image, isUnderWay: true, credentials: { troubles: [] } }, 'EOF');

/** An engine with an image or none, and a registry that has a newer one or fails. */
function scene(present: string | undefined, registry: string | Error) {
  let local = present;
  const asked: string[] = [];
  const names: string[] = [];
  const engine = {
    async pull(name: string) {
      asked.push(name);
      if (registry instanceof Error) throw registry;
      local = registry;
    },
    async image(name: string) {
      names.push(name);
      return local === undefined ? undefined : facts(local);
    },
  };
  const run = (pull: PullPolicy, name = image) => pullByPolicy({ image: name, pull }, engine);
  return { run, asked, names };
}

test('always asks, also when an image is here', async () => {
  const { run, asked } = scene('old', 'new');

  assert.equal(await run('always'), facts('new'));
  assert.equal(asked, [image]);
});

test('always uses the one that is here when the registry does not give one, and says why', async () => {
  for (const [problem, reason] of [
    [away, 'its registry cannot be reached'],
    [refused, 'its registry refuses access'],
    [midway, 'the pull broke off midway'],
    [imageUnknown(image), 'was not found in its registry'],
  ] as const) {
    const { warning, ...used } = await scene('old', problem).run('always');

    assert.equal(used, facts('old'));
    assert.match(warning ?? '', reason);
    assert.match(warning ?? '', 'that is here is used');
  }
});

test('always fails as the registry does when there is none here', async () => {
  for (const problem of [away, refused, midway]) {
    assert.is(await failureOf(scene(undefined, problem).run('always')), problem);
  }
});

test('missing asks for what is not here only', async () => {
  const present = scene('old', 'new');
  const absent = scene(undefined, 'new');

  assert.equal(await present.run('missing'), facts('old'));
  assert.equal(present.asked, []);
  assert.equal(await absent.run('missing'), facts('new'));
  assert.is(await failureOf(scene(undefined, away).run('missing')), away);
});

test('never asks nobody', async () => {
  const present = scene('old', 'new');
  const absent = scene(undefined, 'new');

  assert.equal(await present.run('never'), facts('old'));
  const failure = await failureOf(absent.run('never'));
  assert.is(failure.code, 'provision_failed');
  assert.equal(
    [(failure as { status?: number }).status, (failure as { details?: object }).details],
    [422, { step: 'pull' }],
  );
  assert.match(failure.message, '`"pull": "never"`');
  assert.equal([...present.asked, ...absent.asked], []);
});

test('an engine that is away, and a caller that left, are no reason to use what is here', async () => {
  for (const problem of [engineUnavailable(), new Error('called off')]) {
    assert.is(await failureOf(scene('old', problem).run('always')), problem);
  }
});

test('the image that is here is asked for by its whole name: a part of an id is none', async () => {
  const { run, names } = scene('old', away);

  for (const name of [
    'cafe',
    'localhost:5000/cafe',
    'acme/cafe',
    'cafe:2',
    `cafe@sha256:${'0'.repeat(64)}`,
  ]) {
    await run('missing', name);
  }
  assert.equal(names, [
    'cafe:latest',
    'localhost:5000/cafe:latest',
    'acme/cafe:latest',
    'cafe:2',
    `cafe@sha256:${'0'.repeat(64)}`,
  ]);
  assert.is((await failureOf(run('never', `sha256:${'a'.repeat(64)}`))).code, 'provision_failed');
});

test.run();
