/** `kill -9` between any two steps of a provision; beside `container-kills.test.ts`, which kills at those that are told. */
import { killedSuite, type Steps } from '../support/kill-steps.ts';

const steps: Steps = {
  'its secret gets an owner': { at: { database: /insert into secret_owners/ }, becomes: 'gone' },
  'its secret is noted': { at: { database: /insert into unfinished_registrations/ }, becomes: 'gone' },
  'its container is made': { at: { engine: /POST \/containers\/create/ }, becomes: 'gone' },
  'its container is stored': { at: { database: /insert into containers / }, becomes: 'gone' },
  'it starts': { at: { engine: /POST \/containers\/\w+\/start/ }, becomes: 'gone' },
  'its volume is made': { at: { engine: /POST \/volumes\/create/ }, becomes: 'gone' },
  'its volume is stored': { at: { database: /insert into server_volumes/ }, becomes: 'gone' },
  // The file is there: it is the truth.
  'its row is written': { at: { database: /insert into servers / }, becomes: 'whole' },
  'its tools are written': { at: { database: /insert into tools / }, becomes: 'whole' },
  'its image is pinned': { at: { database: /insert into server_images/ }, becomes: 'whole' },
  'its note is struck out': { at: { database: /delete from unfinished_registrations/ }, becomes: 'whole' },
};

const { test } = await killedSuite({
  verb: 'provisioned',
  steps,
  async prepare(servers, name) {
    if (await servers.isThere(name)) await servers.delete(name);
  },
  act: (servers, name) => servers.provision(name),
});

test.run();
