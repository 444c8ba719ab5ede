import { testProxy } from './proxy-contract.ts';

await testProxy('envoy');
