import type { StoredServer, ToolListing } from '../../catalog/catalog.ts';
import { createToolJudge, judgeTools, noTools, type ToolFacts } from '../../catalog/tool-judge.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { sha256 } from '../../text/sha256.ts';
import type { Registration } from '../registry.ts';
import { nameWarnings, type ServerNameWarning } from './name-warnings.ts';

/** What a registration did, in the words that the command line and the API repeat. */
export function describeRegistration(facts: {
  readonly server: StoredServer;
  readonly before: StoredServer | undefined;
  readonly outcome: Registration['outcome'];
  readonly missing: readonly string[];
  /** Of the steps before. */
  readonly warnings?: readonly string[] | undefined;
  readonly advice: ServerNameWarning;
}): Registration {
  const { server, before, outcome, missing, warnings = [], advice } = facts;
  const namesNow = server.tools.map((tool) => tool.fullName);
  const namesBefore = before?.tools.map((tool) => tool.fullName) ?? [];
  return {
    server,
    outcome,
    warnings: [...warnings, ...missingWarnings(missing), ...nameWarnings(server, advice)],
    addedTools: without(namesNow, namesBefore),
    removedTools: without(namesBefore, namesNow),
  };
}

/** The server as it would be stored; without a list it keeps the tools it had. */
export async function previewServer(
  config: ServerConfig,
  tools: ToolListing | undefined,
  before: StoredServer | undefined,
): Promise<StoredServer> {
  const { name } = config;
  if (tools === undefined) return { ...(before ?? noTools), name, config };
  const facts = tools.map(async (tool): Promise<ToolFacts> => {
    return { ...tool, hash: await sha256(tool.definition), firstListedAt: new Date() };
  });
  const judge = createToolJudge();
  const listed = await Promise.all(facts);
  await judge.judgeAhead(listed);
  return { name, config, ...judgeTools(name, listed, judge, tools.problems) };
}

function missingWarnings(missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  return [
    `The server stays down until the secrets method has a value for ${missing.map((name) => `\`${name}\``).join(', ')}.`,
  ];
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return names.filter((name) => !known.has(name));
}
