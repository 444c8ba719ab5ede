import { Argument, type Command } from 'commander';
import { type ClientName, clientConfiguration, clientNames } from '../../clients/client-configuration.ts';
import { type Cli, type CommonOptions, withCommonOptions } from '../cli.ts';
import { readGroupEndpoint } from '../group-endpoint.ts';

interface ClientOptions extends CommonOptions {
  readonly group?: string;
}

/** Short for `claude-desktop`. */
const desktop = 'claude';

export function addClientCommand(program: Command, cli: Cli): void {
  const command = program
    .command('client')
    .description("print an agent's configuration for a group")
    .addArgument(new Argument('<client>', 'which agent').choices([desktop, ...clientNames]))
    .option('-g, --group <group>', 'which group it connects to (default: the default group)');
  withCommonOptions(command).action((name: ClientName | typeof desktop, options: ClientOptions) =>
    client(cli, name, options),
  );
}

async function client(cli: Cli, name: ClientName | typeof desktop, options: ClientOptions): Promise<void> {
  const target = await readGroupEndpoint(cli.admin(options), options.group);
  const needsToken = cli.settings.gatewayToken !== undefined;
  const { where, text } = clientConfiguration(name === desktop ? 'claude-desktop' : name, {
    ...target,
    needsToken,
  });
  if (options.json) return cli.printJson({ client: name, ...target, where, configuration: text });
  cli.printNote(where);
  cli.print(text);
}
