import { suite } from 'uvu';
import { describeProxy } from './proxy-contract.ts';

const test = suite('three gateways behind envoy');

await describeProxy(test, 'envoy');

test.run();
