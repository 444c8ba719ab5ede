import { suite } from 'uvu';
import { describeProxy } from './proxy-contract.ts';

const test = suite('three gateways behind haproxy');

await describeProxy(test, 'haproxy');

test.run();
