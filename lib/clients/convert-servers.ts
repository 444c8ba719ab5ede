import { parseServerConfig } from '../catalog/parse-server-config.ts';
import { Failure, toFailure } from '../http/failure.ts';
import { type ForeignEntry, foreignEntries } from './foreign-servers.ts';

/**
 * What was pasted from another client's file as registration configs, for the page to show before anything is
 * registered. Says of each entry that cannot become one why not; other entries are not held up by it.
 */
export interface Conversion {
  readonly configs: readonly Readonly<Record<string, unknown>>[];
  /** Of a name without config, why there is none; of one with it, what was renamed or left out. */
  readonly problems: readonly { readonly name: string; readonly problem: string }[];
}

/** Finding free names costs the square of their number. */
const mostServers = 256;

/** @throws Failure `invalid_params` when there are no servers in it, or too many. */
export function convertServers(document: unknown): Conversion {
  const entries = foreignEntries(withinLimit(document));
  if (entries.length === 0) {
    throw new Failure('invalid_params', 'Expected `mcpServers` or `servers` with at least one server in it.');
  }
  const judged = entries.map(judge);
  return {
    configs: judged.flatMap(({ config }) => (config === undefined ? [] : [config])),
    problems: judged.flatMap(({ name, problems }) => problems.map((problem) => ({ name, problem }))),
  };
}

interface Judgement {
  readonly name: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

function judge(entry: ForeignEntry): Judgement {
  const { name } = entry;
  if ('skip' in entry) return { name, problems: [`It is left out: ${entry.skip}.`] };
  try {
    parseServerConfig(entry.config);
    return { name, config: entry.config, problems: entry.notes };
  } catch (error) {
    return { name, problems: [toFailure(error).message] };
  }
}

function withinLimit(document: unknown): Readonly<Record<string, unknown>> {
  if (typeof document !== 'object' || document === null) return {};
  const { mcpServers, servers } = document as Record<string, unknown>;
  if (Object.keys(Object(mcpServers ?? servers)).length > mostServers) {
    throw new Failure('invalid_params', `Expected at most ${mostServers} servers at a time.`);
  }
  return { mcpServers, servers };
}
