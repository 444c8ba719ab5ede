import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mostConnections } from '../../../lib/server/listeners/node-descriptors.ts';

const test = suite('connections by descriptors');

for (const [descriptors, connections] of [
  [1_048_576, 10_000],
  [4_096, 3_072],
  [1_024, 768],
  [600, 344],
  [300, 75],
] as const) {
  test(`${descriptors} descriptors serve ${connections} connections`, () => {
    assert.is(mostConnections(descriptors), connections);
  });
}

test.run();
