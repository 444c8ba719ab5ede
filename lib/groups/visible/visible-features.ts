import type { Catalog } from '../../catalog/catalog.ts';
import type { FeatureCatalog, ServerFeature, ServerFeatures } from '../../catalog/features.ts';
import { fullToolName, serverOf } from '../../names/names.ts';
import type { Group } from '../groups.ts';
import { type KnownTools, namesOf, shownNameOf } from './visible-tools.ts';

/**
 * The prompts, resources and templates that agents of a group see (`included_prompts` and `included_resources`;
 * docs/api.md, Group files). A group without such a list has all those of the servers behind it: of its tools, and of
 * `included_servers`.
 */
export interface VisibleFeature extends FeatureOf {
  /** The name or URI that agents use. */
  readonly visibleKey: string;
}

export interface VisibleFeatures {
  /** By name: the servers behind the group, and those of the listed features. */
  readonly servers: ReadonlyMap<string, ServerFeatures>;
  readonly prompts: readonly VisibleFeature[];
  readonly resources: readonly VisibleFeature[];
  readonly templates: readonly VisibleFeature[];
}

export type KnownServers = KnownTools & Pick<Catalog, 'servers'>;

/**
 * The server of a bare URI in a group's file from an earlier version, which searched all servers for it, though the
 * group does not name that server (`former-servers.ts`).
 */
export interface FormerServers {
  serverOf(group: string, entry: string): string | undefined;
}

export function visibleFeatures(
  group: Group,
  catalog: KnownServers,
  features: Pick<FeatureCatalog, 'of'>,
  former?: FormerServers,
): VisibleFeatures {
  const behind = known(serversBehind(group, catalog), features);
  const scope = entryScope(group, catalog, features, former);
  const all = new Map([...behind, ...scope.all]);
  const prompts = group.includedPrompts
    ? group.includedPrompts.flatMap((name) => findPrompt(name, all))
    : [...behind].flatMap(([server, { prompts }]) => prompts.map((feature) => ({ server, feature })));
  const visible = {
    prompts: namePrompts(prompts, group),
    resources: resourcesOf(group, behind, scope, 'resources'),
    templates: resourcesOf(group, behind, scope, 'templates'),
  };
  const servers = new Map(behind);
  for (const { server } of Object.values(visible).flat()) {
    const of = all.get(server);
    if (of) servers.set(server, of);
  }
  return { servers, ...visible };
}

/** The servers that are searched for the group's entries of `included_resources`. */
export function entryScope(
  group: Group,
  catalog: KnownServers,
  features: Pick<FeatureCatalog, 'of'>,
  former?: FormerServers,
): EntryScope {
  const registered = catalog.servers().map(({ name }) => name);
  const all = known(registered, features);
  return {
    own: group.includedResources ? ownServers(group, catalog) : [],
    all,
    find: createFindFeature(all),
    formerServer: (entry) => former?.serverOf(group.name, entry),
  };
}

function serversBehind(group: Group, catalog: KnownServers): readonly string[] {
  const ofTools = namesOf(group, catalog).filter((name) => catalog.tool(name) !== undefined);
  const whole = group.includedServers.filter((server) => catalog.server(server) !== undefined);
  return [...new Set([...ofTools.map(serverOf), ...whole])];
}

function known(
  servers: readonly string[],
  features: Pick<FeatureCatalog, 'of'>,
): Map<string, ServerFeatures> {
  const found = new Map<string, ServerFeatures>();
  for (const server of servers) {
    const of = features.of(server);
    if (of) found.set(server, of);
  }
  return found;
}

function findPrompt(fullName: string, all: ReadonlyMap<string, ServerFeatures>): FeatureOf[] {
  const server = serverOf(fullName);
  const feature = all.get(server)?.prompts.find(({ key }) => fullToolName(server, key) === fullName);
  return feature ? [{ server, feature }] : [];
}

function namePrompts(prompts: readonly FeatureOf[], group: Group): readonly VisibleFeature[] {
  return unique(prompts, ({ server, feature }) => {
    const fullName = fullToolName(server, feature.key);
    const shown = shownNameOf(group, fullName, feature.key);
    return shown === undefined ? [] : [shown, fullName];
  });
}

/** URIs stay as they are; where two servers list one, the later is `{server}+{uri}` (docs/protocol.md, rule 47). */
function resourcesOf(
  group: Group,
  behind: ReadonlyMap<string, ServerFeatures>,
  scope: EntryScope,
  kind: 'resources' | 'templates',
): readonly VisibleFeature[] {
  const listed = group.includedResources
    ? group.includedResources.flatMap((entry) => featuresOfEntry(entry, kind, scope).slice(0, 1))
    : [...behind].flatMap(([server, lists]) => lists[kind].map((feature) => ({ server, feature })));
  return unique(listed, ({ server, feature }) => [feature.key, ofServer(server, feature.key)]);
}

/** Each under the first of its names that is free, else left out. */
function unique(
  features: readonly FeatureOf[],
  namesOf: (feature: FeatureOf) => readonly string[],
): readonly VisibleFeature[] {
  const taken = new Map<string, VisibleFeature>();
  for (const feature of features) {
    const visibleKey = namesOf(feature).find((name) => !taken.has(name));
    if (visibleKey !== undefined) taken.set(visibleKey, { ...feature, visibleKey });
  }
  return [...taken.values()];
}

/**
 * The resource that an entry of `included_resources` names (docs/decisions/0015). A bare URI is searched among the
 * group's own servers only, since any server may list any URI; `{server}+{uri}` names the resource of every registered
 * server.
 */
type Kind = 'resources' | 'templates';

export interface FeatureOf {
  readonly server: string;
  readonly feature: ServerFeature;
}

export interface EntryScope {
  /** The group's own servers, in its order. */
  readonly own: readonly string[];
  /** By name, every registered server with stored features. */
  readonly all: ReadonlyMap<string, ServerFeatures>;
  readonly find: FindFeature;
  /** The former server of a bare URI. */
  readonly formerServer: (entry: string) => string | undefined;
}

/** The features that a server lists under exactly this URI, or as this template. */
type FindFeature = (server: string, kind: Kind, key: string) => ServerFeature | undefined;

/** Each list is indexed once, for all entries. */
function createFindFeature(all: EntryScope['all']): FindFeature {
  const known = new Map<readonly ServerFeature[], ReadonlyMap<string, ServerFeature>>();
  return (server, kind, key) => {
    const list = all.get(server)?.[kind] ?? [];
    const byKey = known.get(list) ?? new Map(list.map((feature) => [feature.key, feature]));
    known.set(list, byKey);
    return byKey.get(key);
  };
}

/**
 * The servers that a group names outside of its resources: of its tools, vanished ones too, then of `included_servers`,
 * then of `included_prompts`. Registered ones only.
 */
function ownServers(group: Group, catalog: Pick<Catalog, 'server'>): readonly string[] {
  const named = [
    ...namesOf(group, catalog).map(serverOf),
    ...group.includedServers,
    ...(group.includedPrompts ?? []).map(serverOf),
  ];
  return [...new Set(named)].filter((server) => catalog.server(server) !== undefined);
}

/** All features that match an entry; agents get the first one. */
export function featuresOfEntry(
  entry: string,
  kind: Kind,
  { own, find, formerServer }: EntryScope,
): readonly FeatureOf[] {
  const featureOf = (server: string | undefined, key: string): readonly FeatureOf[] => {
    const feature = server && find(server, kind, key);
    return server && feature ? [{ server, feature }] : [];
  };
  // Names of servers contain no `+`.
  const cut = entry.indexOf('+');
  const named = cut > 0 ? featureOf(entry.slice(0, cut), entry.slice(cut + 1)) : [];
  if (named.some(({ server }) => own.includes(server))) return named;
  const listed = own.flatMap((server) => featureOf(server, entry));
  if (listed.length > 0) return listed;
  return named.length > 0 ? named : featureOf(formerServer(entry), entry);
}

/** Every registered server that lists the entry, in the group or not, in the order of their names. */
export function listersOf(entry: string, { all, find }: EntryScope): readonly string[] {
  return [...all.keys()].filter(
    (server) => find(server, 'resources', entry) ?? find(server, 'templates', entry),
  );
}

export function ofServer(server: string, uri: string): string {
  return `${server}+${uri}`;
}
