import type { StoredTool } from '../catalog/catalog.ts';
import { serverOf } from '../names/names.ts';
import { type GroupToolsDeps, readEntry } from './group-tools.ts';
import type { Group } from './groups.ts';
import { createNameAdvice } from './names/name-advice.ts';
import { leftOutTool, namesOf } from './visible/visible-tools.ts';

/** The fields of a tool in all answers of the manager API (contract section 1). */
export interface ToolFields {
  /** Full name. */
  readonly name: string;
  readonly description: string;
  readonly title?: unknown;
  readonly annotations?: unknown;
  readonly input_schema: unknown;
}

export function toolFields(tool: StoredTool): ToolFields {
  const { title, annotations, inputSchema } = JSON.parse(tool.shown) as Record<string, unknown>;
  return {
    name: tool.fullName,
    description: tool.description,
    title,
    annotations,
    input_schema: inputSchema,
  };
}

/** `GET /api/tools`: every tool of every server, and its state in one group (contract section 1). */
export interface ListedGroupTool extends ToolFields {
  readonly enabled: boolean;
  readonly state: 'present' | 'new' | 'changed' | 'missing';
  /** SHA-256 (hex) of the server's own definition; absent for a missing tool. */
  readonly definition_hash?: string;
  /** The hash of the definition that was approved for the group, if that is another one. */
  readonly approved_hash?: string | undefined;
  /** The visible name, unless it is the full name. */
  readonly exposed_name?: string | undefined;
  /** For a missing tool that its server lists: why agents do not get it, in a whole sentence. */
  readonly problem?: string | undefined;
  /** Why some provider or client refuses the visible name, in a sentence; also for tools outside of the group. */
  readonly name_problem?: string | undefined;
  /** A name for `POST /api/tools/{tool}/expose`. */
  readonly suggested_name?: string | undefined;
  /** Estimated tokens of the definition, of four characters each. */
  readonly token_estimate: number;
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
