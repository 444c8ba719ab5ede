/** What is known of containers when the engine's answers overlap: which of two is the newer one. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerFacts } from '../../../lib/containers/containers.ts';
import { engineUnavailable } from '../../../lib/containers/docker/engine-failures.ts';
import { createContainerStates } from '../../../lib/containers/store/container-states.ts';

const test = suite('states of containers');

const facts: ContainerFacts = {
  ...{ id: 'id-1', name: 'svc-mcp-files', server: 'files', sessionId: undefined, configHash: 'hash' },
  ...{ image: 'tool:1', imageId: 'image-1', port: undefined, status: 'running', exitCode: undefined },
  ...{ startedAt: undefined, address: undefined, mounts: [], reference: 'tool:1' },
};
const exited: ContainerFacts = { ...facts, status: 'exited' };

interface Question<Answer> {
  answer(value: Answer): Promise<void>;
  fail(): Promise<void>;
}

/** An engine that answers each question when the test says so. */
function world() {
  const lists: Question<readonly ContainerFacts[]>[] = [];
  const inspections: Question<ContainerFacts | undefined>[] = [];
  const told: string[] = [];
  const states = createContainerStates({
    containers: { list: () => ask(lists), inspect: () => ask(inspections) },
    onStatus: (server) => told.push(`${server} ${states.of(server).status}`),
  });
  const event = () => states.receive({ id: 'id-1', server: 'files', action: 'die', exitCode: undefined });
  return { states, lists, inspections, told, event };
}

function ask<Answer>(questions: Question<Answer>[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    questions.push({
      answer: (value) => settled(() => resolve(value)),
      fail: () => settled(() => reject(engineUnavailable())),
    });
  });
}

/** Everything that waits for it has gone on. */
async function settled(settle: () => void): Promise<void> {
  settle();
  await new Promise((resolve) => setImmediate(resolve));
}

async function listed(all: readonly ContainerFacts[]) {
  const made = world();
  void made.states.refresh();
  await made.lists[0]?.answer(all);
  return made;
}

test('a list that was asked for before an event does not overwrite what was looked at after it', async () => {
  const { states, lists, inspections, told, event } = await listed([facts]);
  void states.refresh();
  event();
  await inspections[0]?.answer(exited);

  await lists[1]?.answer([facts]);

  assert.is(states.of('files').status, 'exited');
  assert.equal(told, ['files running', 'files exited']);
});

test('nor does it bring back a container that was found gone', async () => {
  const { states, lists, inspections, event } = await listed([facts]);
  void states.refresh();
  event();
  await inspections[0]?.answer(undefined);

  await lists[1]?.answer([facts]);

  assert.is(states.of('files').status, 'not found');
});

test('nor does it drop one that was made after it', async () => {
  const { states, lists, inspections, event } = await listed([]);
  void states.refresh();
  event();
  await inspections[0]?.answer(facts);

  await lists[1]?.answer([]);

  assert.is(states.of('files').status, 'running');
});

test('of two lists the one that was asked for later counts, whichever comes first', async () => {
  const { states, lists } = await listed([]);
  void states.refresh();
  void states.refresh();
  await lists[2]?.answer([exited]);

  await lists[1]?.answer([facts]);
  assert.is(states.of('files').status, 'exited');

  void states.refresh();
  void states.refresh();
  await lists[4]?.answer([facts]);
  await lists[3]?.fail();
  assert.is(states.of('files').status, 'running');
});

test('a look at one that was begun before a list does not overwrite the list', async () => {
  const { states, lists, inspections, event } = await listed([facts]);
  event();
  void states.refresh();
  await lists[1]?.answer([exited]);

  await inspections[0]?.answer(facts);

  assert.is(states.of('files').status, 'exited');
});

test('a look that fails changes nothing, and a list that fails makes all unknown until the next', async () => {
  const { states, lists, inspections, event } = await listed([facts]);
  event();
  await inspections[0]?.fail();
  assert.is(states.of('files').status, 'running');

  void states.refresh();
  await lists[1]?.fail();
  assert.is(states.of('files').status, 'unknown');

  void states.refresh();
  await lists[2]?.answer([exited]);
  assert.is(states.of('files').status, 'exited');
});

test.run();
