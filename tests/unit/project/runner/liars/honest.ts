import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('honest');
test('adds', () => assert.is(1 + 1, 2));
test('waits', async () => void (await new Promise((resolve) => setTimeout(resolve, 1))));
test.skip('is not there yet');
test.run();
