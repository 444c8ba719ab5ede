import { Command, CommanderError } from 'commander';
import { printable } from '../printable.ts';
import { SettingError } from '../setting-reader.ts';
import { addCallCommand } from './call-command.ts';
import { type CliIo, createCli } from './cli.ts';
import { CliFailure } from './cli-failure.ts';
import { addClientCommand } from './client-command.ts';
import { addDeregisterCommand } from './deregister-command.ts';
import { addImportCommand } from './import-command.ts';
import { addListCommand } from './list-command.ts';
import { addRegisterCommand } from './register-command.ts';
import { addRestartCommand } from './restart-command.ts';
import { addTryCommand } from './try-command.ts';
import { addRollbackCommand, addUpdateCommand } from './update-command.ts';

/**
 * The `gateway` command (contract section 5). It only talks to a running service; it never touches configs,
 * groups or the database itself.
 * @param args Without the program's name. Resolves with the exit code and never rejects.
 */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
  try {
    await createProgram(io).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, io);
  }
}

function createProgram(io: CliIo): Command {
  const cli = createCli(io);
  const program = new Command('gateway')
    .description('Look after the MCP gateway that runs here: its servers, tools and groups.')
    .exitOverride()
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr, outputError: () => {} });
  addRegisterCommand(program, cli);
  addDeregisterCommand(program, cli);
  addRestartCommand(program, cli);
  addUpdateCommand(program, cli);
  addRollbackCommand(program, cli);
  addListCommand(program, cli);
  addCallCommand(program, cli);
  addTryCommand(program, cli);
  addImportCommand(program, cli);
  addClientCommand(program, cli);
  return program;
}

/** One sentence on stderr, never a stack: whoever reads it is not debugging this program. */
function report(error: unknown, io: CliIo): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    const isHelp = error.code === 'commander.help';
    if (!isHelp) io.stderr(`${usageSentence(error.message)} See \`gateway --help\`.\n`);
    return 2;
  }
  const message = printable(error instanceof Error ? error.message : String(error));
  const isTold = error instanceof CliFailure || error instanceof SettingError;
  io.stderr(`${isTold ? message : `Something unexpected happened: ${message}.`}\n`);
  return error instanceof CliFailure ? error.exitCode : 1;
}

/** Commander's `error: missing required argument 'x'` as a sentence. */
function usageSentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\n/g, ' ')
    .replace(/[.?]?$/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
