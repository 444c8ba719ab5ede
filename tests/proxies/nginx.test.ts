import { testProxy } from './proxy-contract.ts';

await testProxy('nginx');
