import type { WantedInput } from '../clients/foreign-inputs.ts';
import { type Cli, printableLine } from './cli.ts';
import { CliFailure } from './cli-failure.ts';

/**
 * The values of a file's inputs: from the command line, else typed at the terminal, else the file's default. Inputs without
 * a value are left out.
 * @param given `key=value`, with the key of an input of the file.
 * @throws CliFailure for any other text or key.
 */
export async function readInputs(
  cli: Cli,
  wanted: readonly WantedInput[],
  given: readonly string[],
  mayAsk: boolean,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map(given.map((text) => parseInput(text, wanted)));
  for (const input of wanted) {
    if (values.has(input.id)) continue;
    const typed = mayAsk ? await cli.askText?.(questionFor(input), { isHidden: input.password }) : undefined;
    const value = typed || input.default;
    if (value !== undefined) values.set(input.id, value);
  }
  return values;
}

/** Says which inputs are missing, and how to give them. */
export function missingInputs(missing: readonly WantedInput[]): string {
  const names = missing.map(({ id, description }) =>
    description ? `\`${id}\` (${description})` : `\`${id}\``,
  );
  const options = missing.map(({ id }) => `--input ${/^[\w.-]+$/.test(id) ? id : `'${id}'`}=…`);
  return `it asks for ${names.join(' and ')}: give it with \`${options.join(' ')}\``;
}

function parseInput(text: string, wanted: readonly WantedInput[]): [id: string, value: string] {
  const end = text.indexOf('=');
  if (end <= 0) throw new CliFailure('`--input` expects key=value, with the key that the file asks for.', 2);
  const id = text.slice(0, end);
  const known = wanted.map((input) => input.id);
  if (known.includes(id)) return [id, text.slice(end + 1)];
  const asked = known.length === 0 ? 'nothing' : known.map((name) => `\`${name}\``).join(', ');
  throw new CliFailure(printableLine(`\`--input ${id}=…\`: the file asks for ${asked}.`), 2);
}

function questionFor({ id, description, servers, options, ...input }: WantedInput): string {
  const about = [
    description && `${description} `,
    `(\`${id}\` of ${servers.join(', ')}`,
    options && `; one of ${options.join(', ')}`,
    input.default === undefined || input.password ? '' : `; else ${input.default}`,
    '): ',
  ];
  return `${printableLine(about.filter(Boolean).join(''))} `;
}
