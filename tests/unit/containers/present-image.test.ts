import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ImageFacts } from '../../../lib/containers/containers.ts';
import { createPresentImage } from '../../../lib/containers/images/present-image.ts';
import { createMemoryDigests } from '../../support/memory-available-updates.ts';
import { createMemoryPins } from '../../support/memory-pins.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { failureOf, serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('the image that a container is made from');
const config = serverConfig({ name: 'files', image: 'host/tool:1' });
const own = 'host/tool@sha256:aa';

/** What is here, by id and reference, and what a registry has. */
function world(here: Record<string, string>, registry: Record<string, string>) {
  const images = new Map(Object.entries(here));
  const digests = ['host/other@sha256:bb', own];
  const pulled: string[] = [];
  const pins = createMemoryPins();
  const { log, logged } = createRecordingLog();
  const presentImage = createPresentImage({
    containers: {
      async image(name): Promise<ImageFacts | undefined> {
        const id = images.get(name);
        return id === undefined ? undefined : { id, ports: [], volumes: [], digests };
      },
      async pull(name) {
        pulled.push(name);
        const id = registry[name];
        if (id === undefined) throw new Error('unknown');
        images.set(name, id).set(id, id);
      },
    },
    ...{ pins, digests: createMemoryDigests(), ended: new AbortController().signal, log },
  });
  return { presentImage, images, pulled, pins, logged };
}

test('one that is here is not pulled; gone, it is the very same again, by the digest of its repository', async () => {
  const { presentImage, images, pulled } = world(
    { 'id-1': 'id-1', 'host/tool:1': 'id-2' },
    { [own]: 'id-1' },
  );
  assert.is((await presentImage(config, 'id-1')).id, 'id-1');
  assert.equal(pulled, []);
  images.delete('id-1');

  assert.is((await presentImage(config, 'id-1')).id, 'id-1');

  assert.equal(pulled, [own]);
});

test('one that nobody has any more is what its tag names now, with a warning, and pinned so', async () => {
  const { presentImage, pins, logged } = world({}, { 'host/tool:1': 'id-2' });
  await pins.set('files', { reference: 'host/tool:1', imageId: 'id-1', previous: undefined });

  assert.is((await presentImage(config, 'id-1')).id, 'id-2');

  assert.is((await pins.of('files'))?.imageId, 'id-2');
  assert.ok(logged.some(({ message }) => message.includes('was removed')));
});

test('one that is not to be pulled is not', async () => {
  const { presentImage, pulled } = world({}, { 'host/tool:1': 'id-2' });

  assert.match(
    (await failureOf(presentImage({ ...config, pull: 'never' }, undefined))).message,
    'no registry is asked',
  );

  assert.equal(pulled, []);
});

test.run();
