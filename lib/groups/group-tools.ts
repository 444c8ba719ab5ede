import type { Catalog } from '../catalog/catalog.ts';
import { Failure } from '../failure.ts';
import { nearestNames } from '../names/nearest-names.ts';
import type { ServiceInfo } from '../service-info.ts';
import { type Definition, definitionOf } from './definitions/approval-rows.ts';
import type { Approvals } from './definitions/approvals.ts';
import { replaceNames, switchOff, switchOn } from './group-lists.ts';
import { type Group, type GroupEntry, type Groups, groupNotFound, groupUnreadable } from './groups.ts';
import { leftOutTool, namesOf, toolsOfServer } from './visible/visible-tools.ts';

/**
 * The manager API's operations on a group: read it, switch a tool, replace all tools, describe, rename and create it. The
 * only place that combines groups, catalog and approvals. Only tools of the catalog can be added; any name can be removed.
 */
export interface GroupToolsDeps extends GroupReadingDeps {
  readonly groups: Omit<Groups, 'names' | 'remove' | 'close'>;
  readonly catalog: Pick<Catalog, 'isLoaded' | 'servers' | 'server' | 'tools' | 'tool'>;
  readonly approvals: Approvals;
}

export interface GroupReadingDeps {
  readonly groups: Pick<Groups, 'isLoaded' | 'read' | 'renamedTo'>;
  readonly catalog: Pick<Catalog, 'isLoaded' | 'server'>;
  readonly service: Pick<ServiceInfo, 'notLoaded'>;
}

/** Full tool name → hash of the definition that the caller saw. */
type SeenHashes = ReadonlyMap<string, string>;

const noneSeen: SeenHashes = new Map();

export interface ToolsOfGroup {
  readonly group: Group;
  /** The group's full names (docs/api.md, Group files), vanished ones included. */
  readonly tools: readonly string[];
}

/** @throws Failure `database_unavailable` until groups and catalog were loaded once, `group_not_found`. */
export function readEntry({ groups, catalog, service }: GroupReadingDeps, name: string): GroupEntry {
  if (!groups.isLoaded() || !catalog.isLoaded()) throw service.notLoaded();
  const entry = groups.read(name);
  if (entry === undefined) throw groupNotFound(groups.renamedTo(name));
  return entry;
}

/** The last good version. @throws as `readEntry`, and `group_unreadable` when there never was one. */
export function readGroupTools(deps: GroupReadingDeps, name: string): ToolsOfGroup {
  const { group, problem } = readEntry(deps, name);
  if (group === undefined) throw groupUnreadable(name, problem ?? '');
  return { group, tools: namesOf(group, deps.catalog) };
}

export interface ToolSwitch {
  readonly tool: string;
  /** Absent: toggles the tool. */
  readonly enabled?: boolean | undefined;
  /** Of the definition that the caller saw; switching the tool on approves it. Absent: the current definition. */
  readonly definition_hash?: string | undefined;
}

/** Returns the new state. @param etag As in `replaceTools`. */
export async function setTool(
  deps: GroupToolsDeps,
  name: string,
  { tool, enabled, definition_hash }: ToolSwitch,
  etag?: string,
): Promise<ToolsOfGroup & { enabled: boolean }> {
  const { groups, catalog } = deps;
  readEntry(deps, name);
  let [before, after] = [false, false];
  const group = await groups.change(name, (current) => {
    assertUnchanged(catalog, current, etag);
    before = namesOf(current, catalog).includes(tool);
    after = enabled ?? !before;
    if (after === before) return current;
    if (after) assertKnown(catalog, [tool]);
    const change = after ? switchOn : switchOff;
    return change(current, tool, toolsOfServer(catalog));
  });
  const seen = definition_hash === undefined ? noneSeen : new Map([[tool, definition_hash]]);
  if (after && !before) await approveSeen(deps, name, [tool], seen);
  return { group, tools: namesOf(group, catalog), enabled: after };
}

export interface ToolList {
  readonly tools: readonly string[];
  /** As in `ToolSwitch`, by tool. */
  readonly definition_hashes?: Readonly<Record<string, string>> | undefined;
}

/** @param etag The version that the caller saw; a group that changed since is refused with its current list. */
export async function replaceTools(
  deps: GroupToolsDeps,
  name: string,
  { tools, definition_hashes = {} }: ToolList,
  etag?: string,
): Promise<ToolsOfGroup> {
  const { groups, catalog } = deps;
  readEntry(deps, name);
  let added: readonly string[] = [];
  const group = await groups.change(name, (current) => {
    assertUnchanged(catalog, current, etag);
    const members = new Set(namesOf(current, catalog));
    added = tools.filter((tool) => !members.has(tool));
    assertKnown(catalog, added);
    return replaceNames(current, tools, toolsOfServer(catalog));
  });
  await approveSeen(deps, name, added, new Map(Object.entries(definition_hashes)));
  return { group, tools: namesOf(group, catalog) };
}

/** @param etag As in `replaceTools`. */
export function describeGroup(
  deps: GroupToolsDeps,
  name: string,
  description: string,
  etag?: string,
): Promise<Group> {
  readEntry(deps, name);
  return deps.groups.change(name, (current) => {
    assertUnchanged(deps.catalog, current, etag);
    return { ...current, description };
  });
}

/** Copies the approvals, too. @param etag As in `replaceTools`. */
export function renameGroup(deps: GroupToolsDeps, name: string, to: string, etag?: string): Promise<Group> {
  readEntry(deps, name);
  return deps.groups.rename(name, to, async (current) => {
    assertUnchanged(deps.catalog, current, etag);
    await deps.approvals.copy(name, to);
  });
}

export async function createGroup(
  deps: GroupToolsDeps,
  name: string,
  content: Partial<ToolList> & { readonly description?: string | undefined },
): Promise<Group> {
  const { groups, catalog, service } = deps;
  if (!groups.isLoaded() || !catalog.isLoaded()) throw service.notLoaded();
  const { description = '', tools = [], definition_hashes = {} } = content;
  assertKnown(catalog, tools);
  const group = await groups.create(name, { description, tools });
  await approveSeen(deps, name, tools, new Map(Object.entries(definition_hashes)));
  return group;
}

export function assertKnown(
  catalog: Pick<Catalog, 'server' | 'tools' | 'tool'>,
  tools: readonly string[],
): void {
  const unknown = tools.find((tool) => catalog.tool(tool) === undefined);
  if (unknown === undefined) return;
  const why = leftOutTool(catalog, unknown);
  if (why !== undefined) throw new Failure('tool_not_found', why, { details: { did_you_mean: [] } });
  const nearest = nearestNames(
    unknown,
    catalog.tools().map((tool) => tool.fullName),
  );
  const hint = nearest.length > 0 ? `; did you mean \`${nearest.join('`, `')}\`?` : '.';
  throw new Failure('tool_not_found', `No server offers a tool named \`${clipped(unknown)}\`${hint}`, {
    details: { did_you_mean: nearest },
  });
}

/** The requested name may be of any length. */
function clipped(name: string): string {
  const most = 128;
  return name.length > most ? `${name.slice(0, most)}…` : name;
}

/**
 * @param etag The version that the caller saw; absent: any.
 * @throws Failure `group_changed`
 */
export function assertUnchanged(
  catalog: Pick<Catalog, 'server'>,
  group: Group,
  etag: string | undefined,
): void {
  if (etag === undefined || etag === group.etag) return;
  throw new Failure('group_changed', 'The group changed since it was read; look at it again.', {
    details: { tools: namesOf(group, catalog), etag: group.etag },
  });
}

/**
 * Approves the definitions of tools that are switched on: the seen ones, which may be older than the current ones and then
 * show as changed at once; of tools without a seen one the current definition.
 */
function approveSeen(
  { catalog, approvals }: Pick<GroupToolsDeps, 'catalog' | 'approvals'>,
  group: string,
  tools: readonly string[],
  seen: SeenHashes,
): Promise<void> {
  const approved = new Map<string, Definition>();
  for (const name of tools) {
    const tool = catalog.tool(name);
    if (tool === undefined) continue;
    const hash = seen.get(name) ?? tool.hash;
    approved.set(name, hash === tool.hash ? definitionOf(tool) : { hash, text: undefined });
  }
  return approvals.approve(group, approved);
}
