/** `kill -9` between any two steps of an update of a server without data: both containers are there for a moment. */
import { type ImageSteps, killedImageChanges } from '../support/killed-image-changes.ts';

const steps: ImageSteps = {
  'the new one is made': { at: { engine: /POST \/containers\/create/ }, becomes: 'old' },
  'the new one is stored': { at: { database: /insert into containers / }, becomes: 'old' },
  'the new one starts': { at: { engine: /POST \/containers\/\w+\/start/ }, becomes: 'old' },
  'the new one is to be kept running': { at: { engine: /POST \/containers\/\w+\/update/ }, becomes: 'old' },
  'its tools are stored': { at: { database: /insert into tools / }, becomes: 'old' },
  // Once the new one serves, the old one goes beside the noting of the image.
  'the old one stops': { at: { engine: /POST \/containers\/\w+\/stop/ }, becomes: 'either' },
  'the old one goes': { at: { engine: /DELETE \/containers\/\w+/ }, becomes: 'either' },
  'the new one gets the name': { at: { engine: /POST \/containers\/\w+\/rename/ }, becomes: 'either' },
  'its image is pinned': { at: { database: /insert into server_images/ }, becomes: 'old' },
};

const test = await killedImageChanges('beside', [{ act: 'update', hasVolume: false, steps }]);

test.run();
