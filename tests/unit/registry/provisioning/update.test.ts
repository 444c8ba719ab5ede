import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pullFailure } from '../../../../lib/containers/docker/engine-failures.ts';
import type { ProvisionStep } from '../../../../lib/containers/images/provision-steps.ts';
import { Failure } from '../../../../lib/failure.ts';
import type { ImageChangeOptions } from '../../../../lib/registry/registry.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { codeOf, stdio } from '../registry-fixture.ts';
import { digestOf, failureOf, type ProvisionFixture, withProvisioning } from './provision-fixture.ts';

const test = suite('updating a server in a container, and back');

/** Runs `work` with the server `demo`, made from image 1; the registry has image 2 under its tag, with other tools. */
async function withDemo(work: (fixture: UpdateFixture) => Promise<void>): Promise<void> {
  await withProvisioning(async (fixture) => {
    const { engine, upstreams, registry } = fixture;
    upstreams.behave('demo', ['stays', 'goes']);
    await fixture.provision();
    fixture.steps.length = 0;
    const warnOfPull = (warning: string) => {
      engine.pullWarning = warning;
    };
    const renew = () => {
      engine.otherImages.add(engine.imageId);
      engine.imageId = 'sha256:2';
      engine.registryDigest = digestOf('sha256:2');
    };
    engine.pull = async () => renew();
    upstreams.behave('demo', ['stays', 'comes']);
    const watch = {
      signal: new AbortController().signal,
      onStep: (step: ProvisionStep) => void fixture.steps.push(step),
    };
    await work({
      ...fixture,
      renew,
      warnOfPull,
      update: (options = {}) => registry.update('demo', options, watch),
      rollBack: (options = {}) => registry.rollBack('demo', options, watch),
    });
  });
}

interface UpdateFixture extends ProvisionFixture {
  renew(): void;
  warnOfPull(warning: string): void;
  update(options?: ImageChangeOptions): ReturnType<ProvisionFixture['registry']['update']>;
  rollBack(options?: ImageChangeOptions): ReturnType<ProvisionFixture['registry']['update']>;
}

/** As before any update. */
async function assertAsBefore({
  engine,
  catalog,
  upstreams,
  toolNames,
  registry,
}: UpdateFixture): Promise<void> {
  assert.equal(toolNames('demo'), ['stays', 'goes']);
  assert.is((await engine.pins.of('demo'))?.imageId, 'sha256:1');
  assert.is(upstreams.serving.get('demo')?.imageId, 'sha256:1');
  assert.ok(catalog.server('demo'));
  assert.equal(registry.busyNames(), []);
}

test('a newer image is tried out, compared and swapped in; both are remembered', async () => {
  await withDemo(async (fixture) => {
    const { engine, upstreams, steps, groups, toolNames, update } = fixture;
    groups.write('support', ['demo__stays', 'demo__goes']);

    const change = await update();

    assert.equal(change, {
      name: 'demo',
      outcome: 'changed',
      oldDigest: digestOf('sha256:1'),
      newDigest: digestOf('sha256:2'),
      tools: { added: ['demo__comes'], removed: ['demo__goes'], changed: [] },
      toolCount: 2,
      affectedGroups: { support: ['demo__goes'] },
      warnings: [],
    });
    assert.equal([...new Set(steps.map(({ step }) => step))], ['pull', 'start', 'ready', 'compare', 'swap']);
    assert.equal(toolNames('demo'), ['stays', 'comes']);
    assert.is(upstreams.serving.get('demo')?.imageId, 'sha256:2');
    assert.equal(await engine.pins.of('demo'), {
      ...{ reference: 'mcp/demo:1', imageId: 'sha256:2' },
      previous: { reference: 'mcp/demo:1', imageId: 'sha256:1' },
    });
  });
});

test('an image that was built or pulled under the name is used without asking a registry', async () => {
  await withDemo(async ({ engine, renew, update }) => {
    renew();
    engine.pull = () => Promise.reject(new Error('no registry is to be asked'));

    const { outcome, newDigest } = await update();

    assert.equal([outcome, newDigest], ['changed', digestOf('sha256:2')]);
  });
});

test('one that is current stays as it is, and nothing is started', async () => {
  await withDemo(async ({ update, steps, engine, upstreams }) => {
    await update();
    steps.length = 0;
    const started = upstreams.startedWith.length;

    const { outcome, tools, toolCount } = await update();

    assert.equal([outcome, toolCount], ['unchanged', 2]);
    assert.equal(tools, { added: [], removed: [], changed: [] });
    assert.equal([...new Set(steps.map(({ step }) => step))], ['pull']);
    assert.is(upstreams.startedWith.length, started);
    assert.is((await engine.pins.of('demo'))?.previous?.imageId, 'sha256:1');
  });
});

test('a dry run compares and changes nothing, whatever would be lost', async () => {
  await withDemo(async (fixture) => {
    const { engine, upstreams, update } = fixture;
    engine.fit = { container: 'other', atRisk: { paths: ['/data/notes'], count: 1 }, hasVolumes: false };

    const { outcome, tools, warnings } = await update({ dryRun: true });

    assert.is(outcome, 'tried');
    assert.equal(tools.added, ['demo__comes']);
    assert.match(warnings.join(), '/data/notes');
    assert.is(upstreams.startedWith.at(-1)?.isTryOut, true);
    assert.is(upstreams.steps.at(-1), 'discard demo');
    await assertAsBefore(fixture);
  });
});

test('files that would be lost are listed, and lost only on request', async () => {
  await withDemo(async (fixture) => {
    const { engine, update, upstreams } = fixture;
    engine.fit = { container: 'other', atRisk: { paths: ['/data/notes'], count: 1 }, hasVolumes: false };

    const failure = await failureOf(update());

    assert.equal([failure.code, failure.status], ['data_at_risk', 409]);
    assert.match(failure.message, '"discard_data": true');
    assert.equal(failure.details, { step: 'pull', paths: ['/data/notes'], count: 1, undone: true });
    assert.not(upstreams.steps.includes('discard demo'), 'nothing was tried out');
    await assertAsBefore(fixture);
    assert.is((await update({ discardData: true })).outcome, 'changed');
  });
});

test('a server with volumes is tried out on volumes of its own', async () => {
  await withDemo(async ({ engine, update, upstreams }) => {
    engine.fit = { container: 'other', atRisk: undefined, hasVolumes: true };

    await update();

    const { imageId, isTryOut } = upstreams.startedWith.at(-1) ?? {};
    assert.equal([imageId, isTryOut], ['sha256:2', true]);
  });
});

test('an image that does not start leaves the old one serving', async () => {
  await withDemo(async (fixture) => {
    fixture.upstreams.behave('demo', 'dies');

    const { code, details } = await failureOf(fixture.update());

    assert.equal([code, details?.step, details?.undone], ['provision_failed', 'ready', true]);
    await assertAsBefore(fixture);
  });
});

test('an image that does not answer in time leaves the old one serving', async () => {
  await withDemo(async (fixture) => {
    const overdue = Promise.reject(new Failure('upstream_timeout', 'It did not answer within 30 s.'));
    overdue.catch(() => {});
    fixture.upstreams.behave('demo', overdue);

    const { status, details } = await failureOf(fixture.update());

    assert.equal([status, details?.step, details?.undone], [504, 'ready', true]);
    await assertAsBefore(fixture);
  });
});

test('a local image in the place of one that cannot be pulled is a warning, and the available update stays', async () => {
  await withDemo(async ({ engine, registry, update, warnOfPull }) => {
    engine.registryDigest = digestOf('sha256:2');
    await registry.checkUpdate('demo');
    engine.pull = async () => {};
    warnOfPull('The registry cannot be reached; the local image is used.');

    const { outcome, warnings } = await update();

    assert.equal([outcome, warnings.length], ['unchanged', 1]);
    assert.ok(engine.availableUpdates.rows.get('demo')?.availableUpdate);
  });
});

test('a registry that is away leaves what is here, and says so', async () => {
  await withDemo(async (fixture) => {
    fixture.engine.pull = async () => {
      throw pullFailure(
        { image: 'mcp/demo:1', isUnderWay: false, credentials: { troubles: [] } },
        'connection refused',
      );
    };

    const { outcome, warnings } = await fixture.update();

    assert.is(outcome, 'unchanged');
    assert.match(warnings[0] ?? '', 'cannot be reached');
    await assertAsBefore(fixture);
  });
});

test('who leaves while the new one starts calls it off', async () => {
  await withDemo(async (fixture) => {
    const { upstreams, registry } = fixture;
    const leaving = new AbortController();
    upstreams.behave('demo', 'hangs');
    const begun = upstreams.startedWith.length;

    const failed = failureOf(registry.update('demo', {}, { signal: leaving.signal, onStep() {} }));
    await waitUntil('the new one is being started', () => upstreams.startedWith.length > begun);
    leaving.abort();
    const { code } = await failed;

    assert.is(code, 'provision_failed');
    await assertAsBefore(fixture);
  });
});

test('a swap that fails puts the tools back', async () => {
  await withDemo(async (fixture) => {
    fixture.upstreams.failCommit(new Failure('upstream_unavailable', 'It did not take over.'));

    const { code } = await failureOf(fixture.update());

    assert.is(code, 'upstream_unavailable');
    await assertAsBefore(fixture);
  });
});

test('an update whose image cannot be noted serves, and says so', async () => {
  await withDemo(async ({ engine, update, upstreams, logged }) => {
    const { set } = engine.pins;
    Object.assign(engine.pins, { set: () => Promise.reject(new Error('away')) });

    const { outcome, warnings } = await update();
    Object.assign(engine.pins, { set });

    assert.is(outcome, 'changed');
    assert.match(warnings.join(), 'could not be stored');
    assert.is(upstreams.serving.get('demo')?.imageId, 'sha256:2');
    assert.ok(logged.some(({ level }) => level === 'error'));
  });
});

test('a rollback goes back without asking a registry, and back again', async () => {
  await withDemo(async (fixture) => {
    const { engine, upstreams, update, rollBack } = fixture;
    await update();
    engine.pull = () => Promise.reject(new Error('no registry is to be asked'));
    upstreams.behave('demo', ['stays', 'goes']);

    const { outcome, tools, oldDigest, newDigest } = await rollBack();

    assert.is(outcome, 'changed');
    assert.equal([oldDigest, newDigest], [digestOf('sha256:2'), digestOf('sha256:1')]);
    assert.equal(tools, { added: ['demo__goes'], removed: ['demo__comes'], changed: [] });
    assert.is(upstreams.serving.get('demo')?.imageId, 'sha256:1');
    assert.is((await engine.pins.of('demo'))?.previous?.imageId, 'sha256:2');
    await rollBack();
    assert.is((await engine.pins.of('demo'))?.imageId, 'sha256:2');
  });
});

test('a previous image that was removed is pulled by its digest, or the refusal says so', async () => {
  await withDemo(async ({ engine, update, rollBack }) => {
    await update();
    engine.otherImages.clear();
    engine.pull = async () => {};

    const lost = await failureOf(rollBack());
    engine.pull = async () => void engine.otherImages.add('sha256:1');
    const change = await rollBack();

    assert.equal([lost.code, lost.status, lost.details?.step], ['provision_failed', 422, 'pull']);
    assert.match(lost.message, 'removed');
    assert.is(change.newDigest, digestOf('sha256:1'));
  });
});

test('there is nothing to go back to before the first update, and not to another repository', async () => {
  await withDemo(async ({ engine, rollBack }) => {
    const first = await failureOf(rollBack());
    const before = { reference: 'other/image:1', imageId: 'sha256:9' };
    await engine.pins.set('demo', { reference: 'mcp/demo:1', imageId: 'sha256:1', previous: before });
    const other = await failureOf(rollBack());

    assert.equal([first.code, other.code], ['conflict', 'conflict']);
    assert.match(first.message, 'not updated yet');
    assert.match(other.message, 'other/image:1');
  });
});

test('what has no image, is not there, is not allowed or is busy is refused', async () => {
  await withDemo(async ({ registry, update, rollBack, engine }) => {
    const watch = { onStep() {}, signal: new AbortController().signal };
    await registry.register(stdio('program'));

    assert.is(await codeOf(registry.update('program', {}, watch)), 'conflict');
    assert.is(await codeOf(registry.rollBack('program', {}, watch)), 'conflict');
    assert.is(await codeOf(registry.checkUpdate('program')), 'conflict');
    assert.is(await codeOf(registry.update('absent', {}, watch)), 'server_not_found');
    assert.is(await codeOf(update({ allowedImages: ['others/*'] })), 'image_not_allowed');
    assert.is(await codeOf(rollBack({ allowedImages: ['others/*'] })), 'image_not_allowed');
    const [one, other] = await Promise.allSettled([update(), update()]);
    assert.equal([one?.status, other?.status], ['fulfilled', 'rejected']);
    engine.isOwner = false;
    assert.is((await failureOf(update())).status, 503);
  });
});

test('a check asks the registry, and an update takes its offer away', async () => {
  await withDemo(async ({ registry, engine, update }) => {
    engine.registryDigest = digestOf('sha256:2');

    const found = await registry.checkUpdate('demo');
    await update();

    assert.equal([found?.oldDigest, found?.newDigest], [digestOf('sha256:1'), digestOf('sha256:2')]);
    assert.is(await registry.checkUpdate('demo'), undefined);
    engine.registryDigest = undefined;
    assert.is((await failureOf(registry.checkUpdate('demo'))).status, 502);
  });
});

test.run();
