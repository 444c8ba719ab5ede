/**
 * A stdio MCP server in a few lines of JavaScript, in place of the program of a test bed's image: for what no real
 * server can be asked to do. It has one tool, `work`.
 */
import { testImage } from './testbed.ts';

export interface InlineServer {
  /** Run before anything is answered. */
  readonly atStart?: string;
  /** Run for each call, whose arguments are `args`; how many there were before is `calls`. */
  readonly atCall?: string;
}

/** Fields of a registration's body. */
export function inlineServer({ atStart = '', atCall = '' }: InlineServer) {
  return inlineProgram(`${atStart};
    let calls = 0;
    const results = {
      initialize: ({ protocolVersion }) => ({
        protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'inline', version: '1' },
      }),
      'tools/list': () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }),
      'tools/call': ({ arguments: args }) => {
        ${atCall};
        return { content: [{ type: 'text', text: 'done ' + calls++ }] };
      },
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      if (line === '') return;
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const answer = method in results
        ? { result: results[method](params) }
        : { error: { code: -32601, message: 'unknown' } };
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
    });`);
}

export function inlineProgram(program: string) {
  return { image: testImage('everything'), entrypoint: ['node'], args: ['-e', program] };
}
