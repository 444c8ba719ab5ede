import { documentSuite } from './document-suite.ts';

documentSuite({ path: 'docs/servers.md', commands: [] });
