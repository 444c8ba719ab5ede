import type { Catalog } from '../../catalog/catalog.ts';
import type { ServerFeature, ServerFeatures } from '../../catalog/features.ts';
import { serverOf } from '../../names/names.ts';
import type { Group } from '../groups.ts';
import { namesOf } from './visible-tools.ts';

/**
 * Whose resource an entry of `included_resources` means (docs/decisions/0015). A bare URI is looked for among the group's
 * own servers only, since any server may list any URI; `{server}+{uri}` names the resource of every registered server.
 */
type Kind = 'resources' | 'templates';

export interface FeatureOf {
  readonly server: string;
  readonly feature: ServerFeature;
}

export interface EntryScope {
  /** The group's own servers, in its order. */
  readonly own: readonly string[];
  /** By name, every registered server that was ever reached. */
  readonly all: ReadonlyMap<string, ServerFeatures>;
  readonly find: FindFeature;
  /** The server that is on record for this bare URI (`former-servers.ts`). */
  readonly formerServer: (entry: string) => string | undefined;
}

/** What a server lists under exactly this URI, or as this template. */
export type FindFeature = (server: string, kind: Kind, key: string) => ServerFeature | undefined;

/** Each list is read once, however many entries are looked for. */
export function createFindFeature(all: EntryScope['all']): FindFeature {
  const known = new Map<readonly ServerFeature[], ReadonlyMap<string, ServerFeature>>();
  return (server, kind, key) => {
    const list = all.get(server)?.[kind] ?? [];
    const byKey = known.get(list) ?? new Map(list.map((feature) => [feature.key, feature]));
    known.set(list, byKey);
    return byKey.get(key);
  };
}

/**
 * The servers that a group names elsewhere than in its resources: of its tools, vanished ones too, then of
 * `included_servers`, then of `included_prompts`. Registered ones only.
 */
export function ownServers(group: Group, catalog: Pick<Catalog, 'server'>): readonly string[] {
  const named = [
    ...namesOf(group, catalog).map(serverOf),
    ...group.includedServers,
    ...(group.includedPrompts ?? []).map(serverOf),
  ];
  return [...new Set(named)].filter((server) => catalog.server(server) !== undefined);
}

/** All that an entry could mean; the first is what it does mean. */
export function featuresOfEntry(
  entry: string,
  kind: Kind,
  { own, find, formerServer }: EntryScope,
): readonly FeatureOf[] {
  const offerOf = (server: string | undefined, key: string): readonly FeatureOf[] => {
    const feature = server && find(server, kind, key);
    return server && feature ? [{ server, feature }] : [];
  };
  // Names of servers hold no `+`.
  const cut = entry.indexOf('+');
  const named = cut > 0 ? offerOf(entry.slice(0, cut), entry.slice(cut + 1)) : [];
  if (named.some(({ server }) => own.includes(server))) return named;
  const listed = own.flatMap((server) => offerOf(server, entry));
  if (listed.length > 0) return listed;
  return named.length > 0 ? named : offerOf(formerServer(entry), entry);
}

/** Every registered server that lists it, in the group or not, in the order of their names. */
export function listersOf(entry: string, { all, find }: EntryScope): readonly string[] {
  return [...all.keys()].filter(
    (server) => find(server, 'resources', entry) ?? find(server, 'templates', entry),
  );
}

export function ofServer(server: string, uri: string): string {
  return `${server}+${uri}`;
}
