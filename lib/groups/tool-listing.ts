import type { StoredTool } from '../catalog/catalog.ts';
import { type ToolFields, toolFields } from '../catalog/tool-definition.ts';
import { serverOf } from '../names/names.ts';
import { type GroupToolsDeps, readEntry } from './group-tools.ts';
import type { Group } from './groups.ts';
import { createNameAdvice } from './names/name-advice.ts';
import { leftOutTool, namesOf } from './visible/visible-tools.ts';

/** `GET /api/tools`: every tool of every server, and how it stands to one group (contract section 1). */

export interface ListedGroupTool extends ToolFields {
  readonly enabled: boolean;
  readonly state: 'present' | 'new' | 'changed' | 'missing';
  /** SHA-256 (hex) of the definition as its server lists it; absent for a missing tool. */
  readonly definition_hash?: string;
  /** Of the definition that was accepted for the group, where that is another one. */
  readonly approved_hash?: string | undefined;
  /** What agents of the group call it, where that is another name. */
  readonly exposed_name?: string | undefined;
  /** Of a missing one whose server lists it: why agents cannot be given it, in a whole sentence. */
  readonly problem?: string | undefined;
  /** Why some provider or client refuses the name that agents of the group see, or would see; in a sentence. */
  readonly name_problem?: string | undefined;
  /** What to show it as instead (`POST /api/tools/{tool}/expose`). */
  readonly suggested_name?: string | undefined;
  /** What the definition costs an agent, roughly: four characters a token. */
  readonly token_estimate: number;
}

/** By server name. Names whose tool vanished stand under their server, which may be gone as well. */
export function toolListing(
  deps: GroupToolsDeps,
  name: string,
): ReadonlyMap<string, readonly ListedGroupTool[]> {
  const { catalog, approvals } = deps;
  const { group } = readEntry(deps, name);
  const members = new Set(group ? namesOf(group, catalog) : []);
  const accepted = approvals.approved(name);
  const advise = createNameAdvice(group ?? { exposedNames: new Map() }, catalog.tools());
  const servers = new Map<string, ListedGroupTool[]>();
  for (const server of catalog.servers()) {
    servers.set(
      server.name,
      server.tools.map((tool) => {
        const enabled = members.has(tool.fullName);
        const approvedHash = enabled ? accepted.get(tool.fullName) : undefined;
        const state = stateOf(tool, group, approvedHash);
        const approved_hash = state === 'changed' ? approvedHash : undefined;
        const exposed_name = group?.exposedNames.get(tool.fullName);
        const { problem: name_problem, suggestion: suggested_name } = advise(tool) ?? {};
        const naming = { exposed_name, name_problem, suggested_name };
        return { ...describe(tool), enabled, state, approved_hash, ...naming };
      }),
    );
  }
  for (const fullName of members) {
    if (catalog.tool(fullName) === undefined) addMissing(servers, fullName, leftOutTool(catalog, fullName));
  }
  return servers;
}

/** How one tool stands in the group. */
export function standingOf(
  { groups, catalog, approvals }: Pick<GroupToolsDeps, 'groups' | 'catalog' | 'approvals'>,
  name: string,
  tool: StoredTool,
): Pick<ListedGroupTool, 'enabled' | 'state'> {
  const group = groups.read(name)?.group;
  const enabled = group !== undefined && namesOf(group, catalog).includes(tool.fullName);
  const accepted = enabled ? approvals.approved(name).get(tool.fullName) : undefined;
  return { enabled, state: stateOf(tool, group, accepted) };
}

function stateOf(tool: StoredTool, group: Group | undefined, accepted: string | undefined) {
  if (accepted !== undefined && accepted !== tool.hash) return 'changed';
  return group && tool.firstListedAt > group.modifiedAt ? 'new' : 'present';
}

function describe(
  tool: StoredTool,
): ToolFields & Pick<ListedGroupTool, 'token_estimate' | 'definition_hash'> {
  const { hash, shown } = tool;
  return { ...toolFields(tool), definition_hash: hash, token_estimate: Math.ceil(shown.length / 4) };
}

function addMissing(
  servers: Map<string, ListedGroupTool[]>,
  name: string,
  problem: string | undefined,
): void {
  const server = serverOf(name);
  const missing = {
    name,
    description: '',
    enabled: true,
    input_schema: {},
    state: 'missing',
    token_estimate: 0,
    problem,
  } as const;
  servers.set(server, [...(servers.get(server) ?? []), missing]);
}
