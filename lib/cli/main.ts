import { Command } from 'commander';
import { type CliIo, createCli } from './cli.ts';
import { addCallCommand } from './commands/call-command.ts';
import { addClientCommand } from './commands/client-command.ts';
import { addDeregisterCommand } from './commands/deregister-command.ts';
import { addExampleCommand } from './commands/example-command.ts';
import { addExposeCommand } from './commands/expose-command.ts';
import { addImportCommand } from './commands/import-command.ts';
import { addListCommand } from './commands/list-command.ts';
import { addRegisterCommand } from './commands/register-command.ts';
import { addRestartCommand } from './commands/restart-command.ts';
import { addStartCommand } from './commands/start-command.ts';
import { addTryCommand } from './commands/try-command.ts';
import { addRollbackCommand, addUpdateCommand } from './commands/update-command.ts';
import { dataOption } from './data-option.ts';
import { printFailure } from './print-failure.ts';

/**
 * The `svc-mcp` command. But for `start` and `example` it talks to a running service only, and never touches configs, groups
 * or the database itself.
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
    .description('Run the MCP gateway, and look after the one that runs here: its servers, tools and groups.')
    .exitOverride()
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr, outputError: () => {} });
  addStartCommand(program, io);
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
  addExampleCommand(program);
  for (const command of [program, ...program.commands]) command.addOption(dataOption());
  return program;
}
