import { documentSuite } from './document-suite.ts';

const test = documentSuite({ path: 'docs/servers.md', commands: [] });
test.run();
