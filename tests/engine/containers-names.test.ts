/** Two installations on one engine, and what is left of one that lost its database: a real engine. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findLeftDeployment } from '../../lib/container-host/node-left-deployment.ts';
import type { ContainerSpec } from '../../lib/containers/containers.ts';
import { containerSpec } from '../../lib/containers/store/make-container.ts';
import { createKeeperFixture, openTestbed, testImage } from '../support/testbed.ts';
import { failureOf, serverConfig } from '../support/upstream-fixture.ts';

const test = suite('the names of containers and volumes');
const bed = await openTestbed();
const other = await openTestbed();
const composed = await openTestbed();

if (bed && other && composed) {
  const { containers, docker, name, deploymentId } = bed;
  const config = (base: string) => serverConfig({ name: name(base), image: testImage('broken') });
  const container = (base: string) => `svc-mcp-${name(base)}`;
  const aside = (base: string) => `${container(base)}-${deploymentId.slice(0, 8)}`;
  const spec = (base: string, fields: Partial<ContainerSpec> = {}): ContainerSpec => ({
    ...containerSpec(config(base), { name: container(base), sessionId: undefined, configHash: 'x' }),
    ...fields,
  });
  const volume = (base: string) => ({ name: container(base), server: name(base), sessionId: undefined });
  const projectLabel = 'com.docker.compose.project';

  test.before(() => containers.pull(testImage('broken'), () => {}, new AbortController().signal));
  test.after(async () => {
    await bed.close();
    await other.close();
    await composed.close();
  });

  test('a server whose container’s name another installation has gets one with the installation’s mark', async () => {
    const theirs = await other.containers.create(spec('both'));
    const fixture = await createKeeperFixture(containers);

    const ours = await fixture.containerStore.acquire(config('both'));

    assert.is(ours.facts.name, aside('both'));
    assert.is((await other.containers.inspect(theirs))?.name, container('both'));
    const newer = await fixture.containerStore.acquire(config('both'));
    await ours.release('discard');
    assert.is((await containers.inspect(newer.facts.id))?.name, aside('both'));
    assert.equal((await fixture.containerStore.remove(name('both'))).containers, [aside('both')]);
    assert.is((await other.containers.list()).length, 1);
    await fixture.close();
    await other.containers.remove(theirs);
  });

  test('so does one whose name a container of anybody else’s has', async () => {
    const foreign = await docker.createContainer({ name: container('foreign'), Image: testImage('broken') });
    const fixture = await createKeeperFixture(containers);

    const { id, name: given } = await fixture.containerStore.ensure(config('foreign'));

    assert.is(given, aside('foreign'));
    assert.is((await foreign.inspect()).State.Status, 'created');
    await containers.remove(id);
    await foreign.remove();
    await fixture.close();
  });

  test('a leftover of ours with that name, of which nothing is stored, gives way', async () => {
    const theirs = await other.containers.create(spec('left'));
    const leftover = await containers.create(spec('left'));
    assert.is((await containers.inspect(leftover))?.name, aside('left'));
    const fixture = await createKeeperFixture(containers);

    const facts = await fixture.containerStore.ensure(config('left'));

    assert.is(facts.name, aside('left'));
    assert.is.not(facts.id, leftover);
    assert.is(await containers.inspect(leftover), undefined);
    await containers.remove(facts.id);
    await other.containers.remove(theirs);
    await fixture.close();
  });

  test('where both names are taken it is a conflict that names one', async () => {
    const first = await containers.create(spec('mine'));

    const failure = await failureOf(containers.create(spec('mine')));

    assert.is(failure.code, 'conflict');
    assert.match(failure.message, container('mine'));
    await containers.remove(first);
  });

  test('a volume of another installation is never taken for ours', async () => {
    assert.is(await other.containers.createVolume(volume('notes')), container('notes'));

    const ours = await containers.createVolume(volume('notes'));

    assert.is(ours, aside('notes'));
    assert.is(await containers.createVolume(volume('notes')), ours);
    assert.equal(
      (await containers.volumes()).map((each) => each.name),
      [ours],
    );
    await containers.removeVolume(ours);
    await other.containers.removeVolume(container('notes'));
  });

  test('a name that is free, or ours, is used as it is', async () => {
    assert.is(await containers.createVolume(volume('free')), container('free'));
    assert.is(await containers.createVolume(volume('free')), container('free'));
    await containers.removeVolume(container('free'));
  });

  test('what a manager in a compose project makes carries the project, by which it is found without a database', async () => {
    const project = name('project');
    const manager = await docker.createContainer({
      Image: testImage('broken'),
      Labels: { [projectLabel]: project },
    });
    const { deploymentId: deployment, connect } = composed;
    const inside = connect({ managerRunsInContainer: true, ownContainer: manager.id });

    const id = await inside.create(spec('labelled'));
    const held = await inside.createVolume(volume('labelled'));

    const labels = { 'svc-mcp.project': project, 'svc-mcp.deployment': deployment };
    const network = `svc-mcp-${deployment}`;
    for (const facts of [
      (await docker.getContainer(id).inspect()).Config.Labels,
      (await docker.getVolume(held).inspect()).Labels,
      (await docker.getNetwork(network).inspect()).Labels,
    ])
      for (const [label, value] of Object.entries(labels)) assert.is(facts?.[label], value);
    assert.is(await findLeftDeployment({ ownContainer: manager.id }), deployment);
    await inside.remove(id);
    assert.is(await findLeftDeployment({ ownContainer: manager.id }), deployment);
    await inside.removeVolume(held);
    await manager.remove({ force: true });
    await docker.getNetwork(network).remove();
    assert.is(await findLeftDeployment({ ownContainer: manager.id }), undefined);
  });

  test('a manager outside of compose finds nothing of anybody', async () => {
    const plain = await docker.createContainer({ Image: testImage('broken') });

    assert.is(await findLeftDeployment({ ownContainer: plain.id }), undefined);
    assert.is(await findLeftDeployment({ ownContainer: 'nobody' }), undefined);
    assert.is(
      await findLeftDeployment({ ownContainer: plain.id, dockerHost: 'unix:///nowhere.sock' }),
      undefined,
    );
    await plain.remove();
  });
} else {
  test.skip('the test bed is not there', () => {});
}

test.run();
