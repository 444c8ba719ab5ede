import { Command } from 'commander';
import { type CliIo, createCli } from './cli.ts';
import { addCallCommand } from './commands/call-command.ts';
import { addClientCommand } from './commands/client-command.ts';
import { addDeregisterCommand } from './commands/deregister-command.ts';
import { addExposeCommand } from './commands/expose-command.ts';
import { addImportCommand } from './commands/import-command.ts';
import { addListCommand } from './commands/list-command.ts';
import { addRegisterCommand } from './commands/register-command.ts';
import { addRestartCommand } from './commands/restart-command.ts';
import { addTryCommand } from './commands/try-command.ts';
import { addRollbackCommand, addUpdateCommand } from './commands/update-command.ts';
import { printFailure } from './print-failure.ts';

/**
 * The `svc-mcp` command. Talks to a running service only, and never touches configs, groups or the database itself.
 * @param args Without the program's name. Resolves with the exit code and never rejects.
 */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
  try {
    await createProgram(io).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    return printFailure(error, { isJson: wantsJson(args), command: io.command, stderr: io.stderr });
  }
}

/** Reads the arguments themselves: wrong usage is found before the options are parsed. */
function wantsJson(args: readonly string[]): boolean {
  return args.includes('--json');
}

/** All commands, not run yet. */
export function createProgram(io: CliIo): Command {
  const cli = createCli(io);
  const program = new Command(io.command)
    .version(io.version)
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
  addExposeCommand(program, cli);
  addTryCommand(program, cli);
  addImportCommand(program, cli);
  addClientCommand(program, cli);
  return program;
}
