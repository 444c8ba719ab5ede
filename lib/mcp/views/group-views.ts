import type { Catalog, StoredTool } from '../../catalog/catalog.ts';
import type { FeatureCatalog } from '../../catalog/features.ts';
import type { Bus } from '../../events/bus.ts';
import type { Groups } from '../../groups/groups.ts';
import type { FormerServers } from '../../groups/visible/visible-features.ts';
import { visibleTools, whyLeftOut } from '../../groups/visible/visible-tools.ts';
import { replaceMembers } from '../../json/raw-json.ts';
import { buildGroupFeatures, type GroupFeatures } from './group-features.ts';
import { type ListName, listChanged } from './list-changed.ts';

/**
 * What agents of a group see now: made once per change of the group's file or of what servers list, so that
 * `tools/list` is a finished string and `tools/call` one look-up. Tells when the visible set really changed.
 */
export interface GroupView {
  /** Visible names in the group's order. */
  readonly names: readonly string[];
  /** Definitions in the same order, raw JSON with the visible name. */
  readonly definitions: readonly string[];
  /** The whole `tools/list` result as JSON text. */
  readonly listResult: string;
  /** The tool behind a visible name. */
  find(visibleName: string): StoredTool | undefined;
  /** Why a tool that the group names is in no list, in a whole sentence; undefined: there is no such reason. */
  whyLeftOut(visibleName: string): string | undefined;
  /** Everything besides tools. */
  readonly features: GroupFeatures;
}

export interface GroupViews {
  /** Undefined: there is no such group, or its file was never readable. */
  read(group: string): GroupView | undefined;
  close(): void;
}

interface Dependencies {
  readonly groups: Groups;
  readonly catalog: Catalog;
  readonly features: Pick<FeatureCatalog, 'of'>;
  readonly formerServers?: FormerServers;
  readonly bus: Bus;
  /** A list that agents of this group get is another one now (mcp-spec rule 43). */
  readonly onChanged: (group: string, list: ListName) => void;
}

export function createGroupViews(dependencies: Dependencies): GroupViews {
  const { groups, catalog, features, formerServers, bus, onChanged } = dependencies;
  // A group that went away leaves its name here: when it is back, its agents must hear of it.
  const views = new Map<string, GroupView | undefined>();

  function build(name: string): GroupView | undefined {
    const group = groups.read(name)?.group;
    if (group === undefined) return undefined;
    const visible = visibleTools(group, catalog);
    const definitions = Array.from(visible.values(), ({ visibleName, tool }) =>
      replaceMembers(tool.shown, 0, { name: JSON.stringify(visibleName) }),
    );
    return {
      names: [...visible.keys()],
      definitions,
      listResult: `{"tools":[${definitions.join(',')}]}`,
      find: (visibleName) => visible.get(visibleName)?.tool,
      whyLeftOut: (visibleName) => whyLeftOut(group, catalog, visibleName),
      features: buildGroupFeatures(group, catalog, features, formerServers),
    };
  }

  /** Compares with what agents were told last; a view nobody asked for has nobody to notify. */
  function refresh(name: string): void {
    if (!views.has(name)) return;
    const before = views.get(name);
    const now = build(name);
    views.set(name, now);
    for (const list of changedLists(before, now)) onChanged(name, list);
  }

  const unsubscribe = bus.subscribe((busMessage) => {
    if (busMessage.type === 'group') refresh(busMessage.name);
    else if (busMessage.type === 'tools' || busMessage.type === 'offers')
      for (const name of [...views.keys()]) refresh(name);
  });

  return {
    read(name) {
      const known = views.get(name);
      if (known !== undefined) return known;
      const view = build(name);
      if (view !== undefined) views.set(name, view);
      return view;
    },
    close: unsubscribe,
  };
}

/** Of prompts and resources only those hear who were told at `initialize` that the group has some. */
function changedLists(before: GroupView | undefined, now: GroupView | undefined): ListName[] {
  const lists: ListName[] = [];
  const [had, has] = [before?.features, now?.features];
  if (before?.listResult !== now?.listResult) lists.push('tools');
  if (had?.can.prompts && had.promptsResult !== has?.promptsResult) lists.push('prompts');
  const isSame =
    had?.resourcesResult === has?.resourcesResult && had?.templatesResult === has?.templatesResult;
  if (had?.can.resources && !isSame) lists.push('resources');
  return lists;
}

/** All that sessions of this group may be told: only of what `initialize` declared. */
export function listChangesOf(view: GroupView | undefined): readonly string[] {
  const { prompts = false, resources = false } = view?.features.can ?? {};
  const lists: readonly ListName[] = [
    'tools',
    ...(prompts ? (['prompts'] as const) : []),
    ...(resources ? (['resources'] as const) : []),
  ];
  return lists.map(listChanged);
}
