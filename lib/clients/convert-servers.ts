import { parseServerConfig } from '../config/parse-server-config.ts';
import { Failure, toFailure } from '../failure.ts';
import type { Conversion } from './conversion.ts';
import { wantedInputs, withReferencesForInputs } from './foreign-inputs.ts';
import { dockerLineEntries, type ForeignEntry, foreignEntries, mostServers } from './foreign-servers.ts';
import { readPastedText } from './pasted-text.ts';
import { longestText } from './shell-commands.ts';

/**
 * Converts pasted server files of other clients to registration configs, which the page shows before anything is
 * registered. An entry that cannot be converted becomes a problem and does not affect the others.
 * @param given Content of a file, or `{ command_line }` with lines for a shell, or `{ text }` with either as it was pasted.
 * @param isAdministrator Whether the caller may register mounts (SECURITY.md, Rights); else a warning names the need.
 * @throws Failure `invalid_params` when there are no servers in it, or too many.
 */
export function convertServers(given: unknown, isAdministrator: boolean): Conversion {
  const { text } = Object(given) as { readonly text?: unknown };
  const document: unknown = typeof text === 'string' ? readPastedText(text) : given;
  const judged = entriesOf(document).map((entry) => judge(entry, isAdministrator));
  return {
    configs: judged.flatMap(({ config }) => (config === undefined ? [] : [config])),
    problems: judged.flatMap(({ name, problems }) => problems.map((problem) => ({ name, problem }))),
    warnings: judged.flatMap(({ name, warnings }) => warnings.map((warning) => ({ name, warning }))),
    inputs: wantedInputs(Object(document), judged),
  };
}

function entriesOf(document: unknown): readonly ForeignEntry[] {
  const line = (document as { readonly command_line?: unknown } | null)?.command_line;
  if (typeof line === 'string') return atLeastOne(dockerLineEntries(line), '`docker run` with an image');
  return atLeastOne(
    foreignEntries(withinLimit(document)),
    '`mcpServers` or `servers` with at least one server in it',
  );
}

function atLeastOne(entries: readonly ForeignEntry[], expected: string): readonly ForeignEntry[] {
  if (entries.length === 0) throw new Failure('invalid_params', `Expected ${expected}.`);
  if (entries.length > mostServers) throw tooMany();
  return entries;
}

interface Judgement {
  readonly name: string;
  readonly config?: Conversion['configs'][number];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

function judge(entry: ForeignEntry, isAdministrator: boolean): Judgement {
  const { name } = entry;
  if ('skip' in entry) return { name, problems: [`It is left out: ${entry.skip}.`], warnings: [] };
  try {
    const { volumes, capabilities } = parseServerConfig(withReferencesForInputs(entry.config));
    const needsRights = capabilities.length > 0 || volumes.some(({ source }) => source !== undefined);
    const rights = needsRights && !isAdministrator ? [rightsWarning] : [];
    const config = entry.config as Conversion['configs'][number];
    return { name, config, problems: entry.notes, warnings: [...entry.warnings, ...rights] };
  } catch (error) {
    return { name, problems: [toFailure(error).message], warnings: [] };
  }
}

const rightsWarning =
  'needs administration rights for its capabilities, folders of the host and named volumes: use `import` on the command line, or the admin token.';

function withinLimit(document: unknown): Readonly<Record<string, unknown>> {
  if (typeof document !== 'object' || document === null) return {};
  const { mcpServers, servers } = document as Record<string, unknown>;
  if (Object.keys(Object(mcpServers ?? servers)).length > mostServers) {
    throw tooMany();
  }
  if (commandLength(Object(mcpServers ?? servers)) > longestText) {
    throw new Failure('invalid_params', `Expected at most ${longestText} characters of \`command\` in all.`);
  }
  return { mcpServers, servers };
}

/** Each command may be a line for a shell, which is parsed word by word. */
function commandLength(servers: Readonly<Record<string, unknown>>): number {
  const commands = Object.values(servers).map((entry) => Object(entry).command as unknown);
  return commands.reduce((sum: number, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
}

function tooMany(): Failure {
  return new Failure('invalid_params', `Expected at most ${mostServers} servers at a time.`);
}
