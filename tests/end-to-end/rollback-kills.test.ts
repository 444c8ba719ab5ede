/** `kill -9` in a rollback: the same road as an update's (`update-kills.test.ts`), back. It takes minutes, so it needs `LONG=1`. */
import { suite } from 'uvu';
import { type ImageSteps, killedImageChanges } from '../support/killed-image-changes.ts';

const withVolume: ImageSteps = {
  'the try-out is stored': { at: { database: /insert into containers / }, becomes: 'old' },
  'its tools are stored': { at: { database: /insert into tools / }, becomes: 'old' },
  'the one of now gives up its name': {
    at: { engine: /POST \/containers\/\w+\/rename/ },
    becomes: 'old',
  },
  'the one of now goes': { at: { engine: /DELETE \/containers\/\w+/, nth: 2 }, becomes: 'old' },
  'its image is pinned': { at: { database: /insert into server_images/ }, becomes: 'old' },
};

const without: ImageSteps = {
  'its tools are stored': { at: { database: /insert into tools / }, becomes: 'old' },
  'its image is pinned': { at: { database: /insert into server_images/ }, becomes: 'old' },
};

const isLong = process.env.LONG === '1';
if (!isLong) console.error('kills in a rollback: skipped, they need LONG=1');
const test = isLong
  ? await killedImageChanges('back', [
      { act: 'rollback', hasVolume: true, steps: withVolume },
      { act: 'rollback', hasVolume: false, steps: without },
    ])
  : suite('kills in a rollback');
if (!isLong) test.skip('they need LONG=1', () => {});

test.run();
