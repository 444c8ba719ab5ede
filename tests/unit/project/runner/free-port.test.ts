import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../../../support/free-port.ts';

const test = suite('freePort');

test('no port is given twice, although each is free again at once', async () => {
  const ports: number[] = [];
  for (let count = 0; count < 1_000; count++) ports.push(await freePort());

  assert.is(new Set(ports).size, ports.length);
});

test.run();
