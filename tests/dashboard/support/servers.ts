/** What the pages under test show: three official servers, two groups, and servers that list what a test writes. */
import { writeFileSync } from 'node:fs';
import type { RunServiceOptions } from '../../support/run-service.ts';
import {
  type Config,
  configFiles,
  everythingConfig,
  filesystemPath,
  memoryConfig,
  stdioConfig,
} from '../../support/test-servers.ts';

export const officialServers = [
  everythingConfig('everything', { description: 'Every feature of the protocol, to try things out' }),
  stdioConfig('filesystem', [filesystemPath, 'docs'], { description: 'Files of the documentation folder' }),
  memoryConfig('memory', { description: 'Remembers facts in a graph' }),
];

export const twoGroups = {
  'svc-global': {
    name: 'svc-global',
    description: 'What every agent may use',
    included_tools: ['everything__echo', 'filesystem__read_text_file'],
  },
  research: {
    name: 'research',
    description: 'Reads, and remembers',
    included_tools: ['memory__read_graph', 'memory__search_nodes', 'filesystem__read_text_file'],
  },
};

export const officialService: RunServiceOptions = {
  configs: configFiles(...officialServers),
  groups: twoGroups,
};

export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly [field: string]: unknown;
}

/** A server whose tools stand in a file; written again, they change. */
export function listingConfig(name: string, path: string, more: object = {}): Config {
  return stdioConfig(name, ['tests/dashboard/support/listing-server.mjs', path], more);
}

export function writeTools(path: string, tools: readonly Tool[]): void {
  writeFileSync(path, JSON.stringify({ tools }));
}
