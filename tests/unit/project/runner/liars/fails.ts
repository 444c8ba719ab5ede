import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('fails');
test('holds', () => assert.ok(true));
test('adds wrongly', () => assert.is(1 + 1, 3));
test.run();
