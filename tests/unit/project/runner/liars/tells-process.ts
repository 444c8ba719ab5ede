import { suite } from 'uvu';

const test = suite('tells its process');
test('passes', () => console.log(`in process ${process.pid}`));
test.run();
