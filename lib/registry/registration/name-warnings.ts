import type { StoredServer, StoredTool } from '../../catalog/catalog.ts';
import { membership } from '../../groups/group-lists.ts';
import type { Group, Groups } from '../../groups/groups.ts';
import { visibleNameOf } from '../../groups/visible/visible-tools.ts';
import { longestToolNameForAllClients } from '../../names/names.ts';
import { isProviderName } from '../../names/provider-names.ts';
import { quotedName, whyNotShown } from '../../names/shown-names.ts';

export interface ServerNameWarning {
  readonly groups: Pick<Groups, 'names' | 'read'>;
  /** What people type in any terminal of this machine for the `gateway` command. */
  readonly gatewayCommand: () => string;
}

/** What is told of a server's tool names when it is registered or changed. */
export function nameWarnings(server: StoredServer, told: ServerNameWarning): readonly string[] {
  return [...longNames(server), ...refusedNames(server, told)];
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

/** As agents of each group see them; of tools that no group has, by their full names. One sentence for all. */
function refusedNames(server: StoredServer, { groups, gatewayCommand }: ServerNameWarning): string[] {
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
