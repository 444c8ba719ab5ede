/** The official servers over each transport, twice: as the gateway registers them, and as one reaches them without it. */
import { join } from 'node:path';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Outcome } from '../support/direct-connection.ts';
import { plainEnvironment, projectDir } from '../support/service-command.ts';
import {
  type Config,
  everythingConfig,
  everythingPath,
  filesystemPath,
  memoryConfig,
  memoryPath,
  type ServerProcess,
  stdioConfig,
} from '../support/test-servers.ts';
import { everythingCalls, filesystemCalls, memoryCalls, type SampleCall } from './sample-calls.ts';

export interface Compared {
  readonly name: string;
  readonly config: Config;
  readonly calls: readonly SampleCall[];
  readonly directTransport: () => Transport;
}

/** Made anew for each pass of calls. */
export function workFolder(files: string): string {
  return join(files, 'work');
}

/** @param files The folder that the filesystem servers may see, and where the memory servers keep their files. */
export function comparedServers(files: string, http: ServerProcess, sse: ServerProcess): readonly Compared[] {
  const httpUrl = `http://127.0.0.1:${http.port}/mcp`;
  const sseUrl = `http://127.0.0.1:${sse.port}/sse`;
  const memoryFile = (side: string) => join(files, `memory-${side}.jsonl`);
  return [
    {
      name: 'everything',
      config: everythingConfig(),
      calls: everythingCalls,
      directTransport: () => stdio([everythingPath, 'stdio']),
    },
    {
      name: 'filesystem',
      config: stdioConfig('filesystem', [filesystemPath, files]),
      calls: filesystemCalls(workFolder(files)),
      directTransport: () => stdio([filesystemPath, files]),
    },
    {
      name: 'memory',
      config: memoryConfig('memory', { env: { MEMORY_FILE_PATH: memoryFile('gateway') } }),
      calls: memoryCalls,
      directTransport: () => stdio([memoryPath], [`MEMORY_FILE_PATH=${memoryFile('direct')}`]),
    },
    {
      name: 'everything-http',
      config: { name: 'everything-http', transport: 'streamable_http', url: httpUrl },
      calls: everythingCalls,
      directTransport: () => new StreamableHTTPClientTransport(new URL(httpUrl)),
    },
    {
      name: 'everything-sse',
      config: { name: 'everything-sse', transport: 'sse', url: sseUrl },
      calls: everythingCalls,
      directTransport: () => new SSEClientTransport(new URL(sseUrl)),
    },
  ];
}

/** `env -i`, because the SDK adds variables of its own choice to what a child is given. */
function stdio(args: readonly string[], variables: readonly string[] = []): Transport {
  const environment = Object.entries(plainEnvironment()).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return new StdioClientTransport({
    command: 'env',
    args: ['-i', ...environment, ...variables, 'node', ...args],
    cwd: projectDir,
    stderr: 'ignore',
  });
}

/**
 * Takes out what differs between two connections by nature: session ids, the clock, our own two markers, and the words
 * in which a question is refused that the client cannot be asked.
 */
export function comparable(outcome: Outcome): unknown {
  const text = JSON.stringify(outcome)
    .replaceAll(/for session [0-9a-f-]{36}/g, 'for session <id>')
    .replaceAll(/MCP error -32601: [^"]*/g, 'MCP error -32601')
    .replaceAll(/created at \d+:\d\d:\d\d( [AP]M)?/g, 'created at <time>')
    .replaceAll(/,?\\n {2}\\"SVC_MCP_OWNER(_PROCESS)?\\": \\"[^"]*\\"/g, '');
  return JSON.parse(text);
}
