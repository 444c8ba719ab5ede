import type { Command } from 'commander';
import { settingsText } from '../../server/start/server-arguments.ts';
import type { CliIo } from '../cli.ts';
import { CliFailure } from '../cli-failure.ts';

export function addStartCommand(program: Command, { service, version }: CliIo): void {
  program
    .command('start')
    .description('run the service in this terminal, until Ctrl-C')
    .version(version)
    .addHelpText('after', () => (service === undefined ? '' : `\n${settingsText(service.facts())}`))
    .action(async () => {
      if (service === undefined) throw new CliFailure('There is no service to start here.');
      await service.start();
    });
}
