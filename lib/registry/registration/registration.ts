import type { StoredServer, StoredTool, ToolListing } from '../../catalog/catalog.ts';
import { createToolJudge, judgeTools, noTools, type ToolFacts } from '../../catalog/tool-judge.ts';
import { canonicalText } from '../../config/parse-server-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { membership } from '../../groups/group-lists.ts';
import type { Group } from '../../groups/groups.ts';
import { visibleNameOf } from '../../groups/visible/visible-tools.ts';
import { longestToolNameForAllClients } from '../../names/names.ts';
import { isProviderName } from '../../names/provider-names.ts';
import { quotedName, whyNotShown } from '../../names/shown-names.ts';
import { sha256 } from '../../text/sha256.ts';
import type { Registration } from '../registry.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';

/** The result of a registration, with the sentences that the command line and the API show. */
export function describeRegistration(facts: {
  readonly server: StoredServer;
  readonly before: StoredServer | undefined;
  readonly outcome: Registration['outcome'];
  readonly missing: readonly string[];
  /** Warnings of earlier steps. */
  readonly warnings?: readonly string[] | undefined;
  readonly advice: Advice;
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

/** The server as it would be stored; without a list of tools, with those that are stored now. */
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

/** The outcome that registering this config now would have. */
export function registrationOutcome(
  { known }: Pick<RegistryDependencies, 'known'>,
  config: ServerConfig,
): Registration['outcome'] {
  const { name } = config;
  const current = known.current.get(name);
  if (!current) return 'registered';
  const isSame = !known.problems.has(name) && canonicalText(current) === canonicalText(config);
  return isSame ? 'unchanged' : 'replaced';
}

type Advice = Pick<RegistryDependencies, 'groups' | 'gatewayCommand'>;

/** Warnings about the names of a server's tools when it is registered or changed. */
export function nameWarnings(server: StoredServer, advice: Advice): readonly string[] {
  return [...longNames(server), ...refusedNames(server, advice)];
}

function longNames({ tools }: StoredServer): string[] {
  return tools
    .filter(({ fullName }) => fullName.length > longestToolNameForAllClients && isProviderName(fullName))
    .map(
      ({ fullName }) =>
        `Some clients drop \`${fullName}\`: its name is longer than ${longestToolNameForAllClients} characters.`,
    );
}

const mostNames = 20;
const mostGroups = 5;

/** One sentence on names that model providers refuse: as each group shows them, or the full names of tools in no group. */
function refusedNames(server: StoredServer, { groups, gatewayCommand }: Advice): string[] {
  const known = groups.names().flatMap((name) => {
    const group = groups.read(name)?.group;
    return group === undefined ? [] : [{ group, isMember: membership(group) }];
  });
  const inNone = server.tools.filter(({ fullName }) => known.every(({ isMember }) => !isMember(fullName)));
  const refused = new Set(inNone.filter((tool) => isRefused(tool)));
  const expose = `${gatewayCommand()} expose ${server.name}`;
  const commands: string[] = [];
  for (const { group, isMember } of known) {
    const ofGroup = server.tools.filter((tool) => isMember(tool.fullName) && isRefused(tool, group));
    for (const tool of ofGroup) refused.add(tool);
    if (ofGroup.length > 0) commands.push(`\`${expose} --group ${group.name}\``);
  }
  if (refused.size === 0) return [];
  if (commands.length === 0) commands.push(`\`${expose}\``);
  const quoted = [...refused].map(({ fullName }) => quotedName(fullName));
  return [
    `Model providers refuse names of its tools, and every request that has one of them: ${shortened(quoted, mostNames)}. ` +
      `Agents see others after ${shortened(commands, mostGroups)}.`,
  ];
}

function isRefused({ fullName, name }: StoredTool, group?: Group): boolean {
  const visible = group ? visibleNameOf(group, fullName) : fullName;
  const isShown = whyNotShown(visible === fullName ? name : visible) === undefined;
  return isShown && !isProviderName(visible);
}

function shortened(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : '';
  return `${texts.slice(0, most).join(', ')}${more}`;
}
