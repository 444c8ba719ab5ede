/** What the service answers to its arguments instead of starting. */
export interface ArgumentsAnswer {
  readonly text: string;
  /** 0: it was asked for. 2: wrong usage, which belongs on standard error. */
  readonly exitCode: 0 | 2;
}

export interface ProgramFacts {
  readonly version: string;
  /** What people type to start it. */
  readonly command: string;
  /** Where its files would be; a sentence when that cannot be said. */
  readonly home: string;
  /** The list of all settings. */
  readonly settingsFile: string;
}

/** Undefined without arguments: it starts. */
export function answerArguments(
  args: readonly string[],
  facts: () => ProgramFacts,
): ArgumentsAnswer | undefined {
  const [first] = args;
  if (first === undefined) return undefined;
  const unknown = args.find((arg) => !['--help', '-h', '--version', '-V'].includes(arg));
  if (unknown !== undefined) {
    return { text: `${refusal(unknown)} See \`${facts().command} --help\`.`, exitCode: 2 };
  }
  const isHelp = args.some((arg) => arg === '--help' || arg === '-h');
  return { text: isHelp ? helpText(facts()) : facts().version, exitCode: 0 };
}

/** Its value may be a secret that somebody tried to give this way. */
function refusal(arg: string): string {
  const [name = ''] = arg.split('=');
  return /^--?[\w-]+$/.test(name)
    ? `Unknown option '${name}': settings come from the environment and from \`.env\`.`
    : 'The service takes no such argument: settings come from the environment and from `.env`.';
}

function helpText({ command, home, settingsFile }: ProgramFacts): string {
  return `Usage: ${command}

Starts the gateway for agents (port 3700) and the manager with its page (port 3701).

Settings come from the environment, and from \`.env\` in the folder with its files;
${settingsFile} lists them all.
Its files: ${home}

Options:
  -h, --help     show this and start nothing
  -V, --version  show the version`;
}
