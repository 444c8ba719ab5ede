import type { Catalog, StoredTool } from '../../catalog/catalog.ts';
import type { FeatureCatalog } from '../../catalog/features.ts';
import type { Bus } from '../../events/bus.ts';
import type { Groups } from '../../groups/groups.ts';
import type { FormerServers } from '../../groups/visible/visible-features.ts';
import { visibleTools, whyLeftOut } from '../../groups/visible/visible-tools.ts';
import { replaceMembers } from '../../json/raw-json.ts';
import { notificationText } from '../../json-rpc/write.ts';
import { buildGroupFeatures, type GroupFeatures } from './group-features.ts';

/**
 * The lists for agents of a group: built once per change of the group's file or of servers' lists, so that `tools/list`
 * is a finished string and `tools/call` one look-up.
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
  /** Why a tool that the group names is in no list, as a sentence; undefined: there is no such reason. */
  whyLeftOut(visibleName: string): string | undefined;
  /** Prompts, resources and templates. */
  readonly features: GroupFeatures;
}

export type ListName = 'tools' | 'prompts' | 'resources';

export interface GroupViews {
  /** Undefined: there is no such group, or its file was never readable. */
  read(group: string): GroupView | undefined;
  close(): void;
}

interface Dependencies {
  readonly groups: Pick<Groups, 'read'>;
  readonly catalog: Catalog;
  readonly features: Pick<FeatureCatalog, 'of'>;
  readonly formerServers?: FormerServers;
  readonly bus: Pick<Bus, 'subscribe'>;
  /** A list for agents of this group has really changed (docs/protocol.md, rule 43). */
  readonly onChanged: (group: string, list: ListName) => void;
}

export function createGroupViews(dependencies: Dependencies): GroupViews {
  const { groups, catalog, features, formerServers, bus, onChanged } = dependencies;
  // A removed group leaves its name here, so that its agents are notified when it is back.
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

  /** Compares with the lists that agents got last; a view that was never read has no agents to notify. */
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

/** Prompts and resources count only if the group had some before: `initialize` declared none to its agents otherwise. */
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

/** All `list_changed` notifications of this group: only of the features that `initialize` declared. */
export function listChangesOf(view: GroupView | undefined): readonly string[] {
  const { prompts = false, resources = false } = view?.features.can ?? {};
  const lists: readonly ListName[] = [
    'tools',
    ...(prompts ? (['prompts'] as const) : []),
    ...(resources ? (['resources'] as const) : []),
  ];
  return lists.map(listChanged);
}

/** The notification of a changed list (docs/protocol.md, rule 43). */
export function listChanged(list: ListName): string {
  return notificationText(`notifications/${list}/list_changed`);
}

/** The servers behind the tools and features that a group shows. */
export function shownServers(view: GroupView): ReadonlySet<string> {
  const servers = new Set(view.features.servers);
  for (const name of view.names) {
    const tool = view.find(name);
    if (tool !== undefined) servers.add(tool.server);
  }
  return servers;
}
