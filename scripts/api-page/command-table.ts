import { createProgram } from '../../lib/cli/main.ts';
import { table } from './schema-text.ts';

/** Options that the page tells of beside the table. */
const common = ['--json', '--manager', '--data', '--version'];

/** The commands of `svc-mcp` with their options. */
export function commandTable(): string {
  const nothing = () => {};
  const program = createProgram({
    ...{ environment: {}, directory: '.', command: 'svc-mcp', startCommand: 'npm start', version: '' },
    ...{ stdout: nothing, stderr: nothing },
  });
  const rows = program.commands.map((command) => {
    const options = command.options.filter(({ long }) => !common.includes(long ?? ''));
    const words = [
      command.name(),
      ...command.registeredArguments.map((one) => argument(one.name(), one.required)),
    ];
    return [
      `\`${words.join(' ')}\``,
      command.description(),
      options.map(({ flags, description }) => `\`${flags}\` ${description}`).join('; '),
    ];
  });
  return table(['command', 'does', 'options'], rows);
}

function argument(name: string, isRequired: boolean): string {
  return isRequired ? `<${name}>` : `[${name}]`;
}
