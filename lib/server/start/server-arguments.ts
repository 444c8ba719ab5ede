/** What the service prints for its arguments instead of starting. */
export interface ArgumentsAnswer {
  readonly text: string;
  /** 0: the arguments asked for it. 2: wrong usage, printed on standard error. */
  readonly exitCode: 0 | 2;
}

export interface ProgramFacts {
  readonly version: string;
  /** What people type to start the service. */
  readonly command: string;
  /** The folder of its files; a sentence when there is none. */
  readonly home: string;
  /** The list of all settings. */
  readonly settingsFile: string;
}

/** Undefined without arguments: the service starts. */
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

/** Repeats no value: it may be a secret. */
function refusal(arg: string): string {
  const [name = ''] = arg.split('=');
  return /^--?[\w-]+$/.test(name)
    ? `Unknown option '${name}': settings come from the environment and from \`.env\`.`
    : 'The service takes no such argument: settings come from the environment and from `.env`.';
}

function helpText(facts: ProgramFacts): string {
  return `Usage: ${facts.command}

Starts the gateway for agents (port 3700) and the manager with its page (port 3701).

${settingsText(facts)}

Options:
  -h, --help     show this and start nothing
  -V, --version  show the version`;
}

/** Where the service finds its settings and its files. */
export function settingsText({ settingsFile, home }: ProgramFacts): string {
  return `Settings come from the environment, and from \`.env\` in the folder with its files;
${settingsFile} lists them all.
Its files: ${home}`;
}
