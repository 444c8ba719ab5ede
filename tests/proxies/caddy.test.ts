import { suite } from 'uvu';
import { describeProxy } from './proxy-contract.ts';

const test = suite('three gateways behind caddy');

await describeProxy(test, 'caddy');

test.run();
