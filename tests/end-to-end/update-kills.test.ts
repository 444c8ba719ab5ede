/** `kill -9` between any two steps of an update of a server with a volume: a try-out, then one after the other. */
import { type ImageSteps, killedImageChanges } from '../support/killed-image-changes.ts';

const isTryOut = 'name=svc-mcp-[^&]*--try-';
const start = /POST \/containers\/\w+\/start/;

const steps: ImageSteps = {
  'its image is pulled': { at: { engine: /POST \/images\/create/ }, becomes: 'old' },
  'the volume of the try-out is made': { at: { engine: /POST \/volumes\/create/ }, becomes: 'old' },
  'the try-out is made': {
    at: { engine: new RegExp(`POST /containers/create\\?${isTryOut}`) },
    becomes: 'old',
  },
  'the try-out is stored': { at: { database: /insert into containers / }, becomes: 'old' },
  'the try-out starts': { at: { engine: start }, becomes: 'old' },
  'its tools are stored': { at: { database: /insert into tools / }, becomes: 'old' },
  'the first of both stops': { at: { engine: /POST \/containers\/\w+\/stop/ }, becomes: 'old' },
  'the second of both stops': { at: { engine: /POST \/containers\/\w+\/stop/, nth: 2 }, becomes: 'old' },
  'the try-out goes': { at: { engine: /DELETE \/containers\/\w+/ }, becomes: 'old' },
  'the try-out is forgotten': { at: { database: /delete from containers/ }, becomes: 'old' },
  'the volume of the try-out goes': { at: { engine: /DELETE \/volumes\/\w+/ }, becomes: 'old' },
  'the old one gives up its name': { at: { engine: /POST \/containers\/\w+\/rename/ }, becomes: 'old' },
  'the new one is made': {
    at: { engine: new RegExp(`POST /containers/create\\?(?!${isTryOut})`) },
    becomes: 'old',
  },
  'the new one starts': { at: { engine: start, nth: 2 }, becomes: 'old' },
  'the new one is to be kept running': { at: { engine: /POST \/containers\/\w+\/update/ }, becomes: 'old' },
  'the old one goes': { at: { engine: /DELETE \/containers\/\w+/, nth: 2 }, becomes: 'old' },
  'its image is pinned': { at: { database: /insert into server_images/ }, becomes: 'old' },
  'its images are tagged': { at: { engine: /POST \/images\/[^?]*\/tag/ }, becomes: 'new' },
};

const test = await killedImageChanges('by_turns', [{ act: 'update', hasVolume: true, steps }]);

test.run();
