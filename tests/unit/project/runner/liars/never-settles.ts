import { suite } from 'uvu';

const test = suite('never settles');
test('waits for nothing', () => new Promise<void>(() => {}));
test.run();
