import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Argument, type Command } from 'commander';
import { sourcesFolder } from '../../home/node-home.ts';

interface Example {
  readonly file: string;
  /** What it is started with when nothing is given. */
  readonly args: readonly string[];
}

const examples = {
  everything: { file: '@modelcontextprotocol/server-everything/dist/index.js', args: ['stdio'] },
  filesystem: {
    file: '@modelcontextprotocol/server-filesystem/dist/index.js',
    args: [join(sourcesFolder, 'docs')],
  },
} as const satisfies Record<string, Example>;

/** Resolves packages from the source file, as it is for a package as well. */
const { resolve } = createRequire(import.meta.url);

/** What the configs of a new installation start: they need no network, and name no file that an update moves. */
export function addExampleCommand(program: Command): void {
  program
    .command('example')
    .description(
      'be an example MCP server on standard input and output, as the configs of a new installation say',
    )
    .addArgument(new Argument('<server>', 'which one').choices(Object.keys(examples)))
    .argument('[arguments...]', 'for the server, such as folders for `filesystem`')
    .action((name: keyof typeof examples, given: readonly string[]) => runExample(examples[name], given));
}

/** The server reads the arguments of its process. */
async function runExample({ file, args }: Example, given: readonly string[]): Promise<void> {
  const path = resolve(file);
  process.argv.splice(1, process.argv.length, path, ...(given.length > 0 ? given : args));
  await import(pathToFileURL(path).href);
}
