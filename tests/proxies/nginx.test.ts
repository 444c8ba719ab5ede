import { suite } from 'uvu';
import { describeProxy } from './proxy-contract.ts';

const test = suite('three gateways behind nginx');

await describeProxy(test, 'nginx');

test.run();
