import type { StoredTool } from '../catalog/catalog.ts';
import { serverOf } from '../names/names.ts';
import { type GroupToolsDeps, readEntry } from './group-tools.ts';
import type { Group } from './groups.ts';
import type { ListedGroupTool, ToolFields } from './listed-tool.ts';
import { createNameAdvice, type NameAdvice } from './names/name-advice.ts';
import { leftOutTool, namesOf } from './visible/visible-tools.ts';

/** A definition that was judged when it was listed. */
interface ShownTool extends Pick<ToolFields, 'title' | 'annotations'> {
  readonly inputSchema: ToolFields['input_schema'];
}

export function toolFields(tool: StoredTool): ToolFields {
  const { title, annotations, inputSchema } = JSON.parse(tool.shown) as ShownTool;
  return {
    name: tool.fullName,
    description: tool.description,
    title,
    annotations,
    input_schema: inputSchema,
  };
}

/** By server name. Missing tools are listed under their server, which may be missing as well. */
export function toolListing(
  deps: GroupToolsDeps,
  name: string,
): ReadonlyMap<string, readonly ListedGroupTool[]> {
  const { catalog, approvals } = deps;
  const { group } = readEntry(deps, name);
  const members = new Set(group ? namesOf(group, catalog) : []);
  const approved = approvals.approved(name);
  const advise = createNameAdvice(group ?? { exposedNames: new Map() }, catalog.tools());
  const servers = new Map<string, ListedGroupTool[]>();
  for (const server of catalog.servers()) {
    servers.set(
      server.name,
      server.tools.map((tool) => {
        const enabled = members.has(tool.fullName);
        const approvedHash = enabled ? approved.get(tool.fullName) : undefined;
        const state = stateOf(tool, group, approvedHash);
        const approved_hash = state === 'changed' ? approvedHash : undefined;
        const exposed_name = group?.exposedNames.get(tool.fullName);
        return { ...describe(tool), enabled, state, approved_hash, exposed_name, ...namingOf(advise(tool)) };
      }),
    );
  }
  for (const fullName of members) {
    if (catalog.tool(fullName) === undefined) addMissing(servers, fullName, leftOutTool(catalog, fullName));
  }
  return servers;
}

function namingOf(
  advice: NameAdvice | undefined,
): Pick<ListedGroupTool, 'name_problem' | 'name_too_long' | 'suggested_name'> {
  if (advice === undefined) return {};
  const { problem, isLong, suggestion } = advice;
  return { name_problem: problem, name_too_long: isLong || undefined, suggested_name: suggestion };
}

/** The state of one tool in the group. */
export function standingOf(
  { groups, catalog, approvals }: Pick<GroupToolsDeps, 'groups' | 'catalog' | 'approvals'>,
  name: string,
  tool: StoredTool,
): Pick<ListedGroupTool, 'enabled' | 'state'> {
  const group = groups.read(name)?.group;
  const enabled = group !== undefined && namesOf(group, catalog).includes(tool.fullName);
  const approvedHash = enabled ? approvals.approved(name).get(tool.fullName) : undefined;
  return { enabled, state: stateOf(tool, group, approvedHash) };
}

function stateOf(tool: StoredTool, group: Group | undefined, approvedHash: string | undefined) {
  if (approvedHash !== undefined && approvedHash !== tool.hash) return 'changed';
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
