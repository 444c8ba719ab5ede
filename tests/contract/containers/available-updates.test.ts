/** What is stored of newer images, and shown, on each database. */
import * as assert from 'uvu/assert';
import { createAvailableUpdates } from '../../../lib/containers/images/available-updates.ts';
import { createImageDigests } from '../../../lib/containers/images/image-digests.ts';
import { createImagePins } from '../../../lib/containers/images/image-pins.ts';
import { createShownImages } from '../../../lib/containers/images/shown-images.ts';
import { eachDatabase } from '../../support/each-database.ts';

const hourMs = 3_600_000;
const reference = 'a:1';
const offered = { oldDigest: 'sha256:1', newDigest: 'sha256:2' };
const facts = (id: string) => ({ id, ports: [], volumes: [], digests: [`a@sha256:d-${id}`] });

for (const { test, database } of await eachDatabase({ name: 'image offers', table: 'server_images' })) {
  const pinned = async (server = 'boxed') => {
    await createImagePins(database()).set(server, {
      ...{ reference, imageId: 'one' },
      previous: { reference: 'a:0', imageId: 'zero' },
    });
    return createAvailableUpdates(database());
  };
  const change = (askInMs?: number, registryDigest?: string) => ({
    ...{ server: 'boxed', reference, registryDigest, askInMs, offered },
  });

  test('an offer is read as it was written, and was seen when it was seen first', async () => {
    const availableUpdates = await pinned();

    const first = await availableUpdates.write(change(hourMs, 'sha256:2'));
    const again = await availableUpdates.write(change(undefined, 'sha256:2'));
    const other = await availableUpdates.write({
      ...change(),
      offered: { ...offered, newDigest: 'sha256:3' },
    });

    assert.equal(first, {
      ...{ server: 'boxed', reference, registryDigest: 'sha256:2', isDue: false },
      availableUpdate: { reference, ...offered, seenAt: first.availableUpdate?.seenAt },
    });
    assert.ok(first.availableUpdate?.seenAt instanceof Date);
    assert.equal(again, first);
    assert.is(other.availableUpdate?.newDigest, 'sha256:3');
    assert.equal((await availableUpdates.all()).get('boxed'), other);
    const gone = await availableUpdates.write({ ...change(), offered: undefined });
    assert.is(gone.availableUpdate, undefined);
  });

  test('when to ask again is kept until it is said anew', async () => {
    const availableUpdates = await pinned();

    await availableUpdates.write(change(0));
    assert.ok((await availableUpdates.all()).get('boxed')?.isDue);
    assert.ok((await availableUpdates.write(change())).isDue);
    assert.not((await availableUpdates.write(change(hourMs))).isDue);
    assert.not((await availableUpdates.write(change())).isDue);
  });

  test('it goes with the pin of the image, and is not stored without one', async () => {
    const availableUpdates = await pinned();
    await availableUpdates.write(change(0));

    await createImagePins(database()).remove('boxed');

    assert.is((await availableUpdates.all()).size, 0);
    const outcome = await availableUpdates.write(change(0)).then(
      () => 'stored',
      () => 'refused',
    );
    assert.is(outcome, 'refused');
  });

  test('the name that a registry has for an image is kept while a server may go back to it', async () => {
    await pinned();
    const digests = createImageDigests(database());
    await digests.record(facts('zero'), reference);
    await digests.record({ ...facts('local'), digests: [] }, reference);

    assert.is(await digests.nameOf('zero'), 'a@sha256:d-zero');
    assert.is(await digests.nameOf('local'), undefined);

    await createImagePins(database()).remove('boxed');
    await createImageDigests(database()).record(facts('one'), reference);
    assert.is(await digests.nameOf('zero'), undefined);
  });

  test('what is shown is the offer and the image before, read again only when asked', async () => {
    const availableUpdates = await pinned();
    const digests = createImageDigests(database());
    let now = 0;
    const shown = createShownImages(database(), () => now);
    await shown.refresh();
    assert.equal(shown.of('boxed'), {
      availableUpdate: undefined,
      previous: { reference: 'a:0', digest: 'zero' },
    });

    await digests.record(facts('zero'), reference);
    await availableUpdates.write(change(0));
    await shown.refresh();
    assert.is(shown.of('boxed')?.availableUpdate, undefined);
    now = 1000;
    await shown.refresh();

    assert.is(shown.of('boxed')?.availableUpdate?.newDigest, 'sha256:2');
    assert.is(shown.of('boxed')?.previous?.digest, 'sha256:d-zero');
    await createImagePins(database()).remove('boxed');
    shown.expire();
    await shown.refresh();
    assert.is(shown.of('boxed'), undefined);
  });

  test.run();
}
