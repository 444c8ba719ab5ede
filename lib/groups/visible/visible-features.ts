import type { Catalog } from '../../catalog/catalog.ts';
import type { FeatureCatalog, ServerFeatures } from '../../catalog/features.ts';
import { fullToolName, serverOf } from '../../names/names.ts';
import type { Group } from '../groups.ts';
import { shownNameOf } from '../names/exposed-names.ts';
import type { FormerServers } from '../names/former-servers.ts';
import {
  createFindFeature,
  type EntryScope,
  type FeatureOf,
  featuresOfEntry,
  ofServer,
  ownServers,
} from './resource-entries.ts';
import { type KnownTools, namesOf } from './visible-tools.ts';

/**
 * What an agent of a group sees besides tools (contract section 4, `included_prompts` and `included_resources`). A
 * group that lists none has all those of the servers behind it: of its tools, and of `included_servers`.
 */
export interface VisibleFeature extends FeatureOf {
  /** What agents ask for it by. */
  readonly visibleKey: string;
}

export interface VisibleFeatures {
  /** By name: the servers behind the group, and those of what it lists. */
  readonly servers: ReadonlyMap<string, ServerFeatures>;
  readonly prompts: readonly VisibleFeature[];
  readonly resources: readonly VisibleFeature[];
  readonly templates: readonly VisibleFeature[];
}

export type KnownServers = KnownTools & Pick<Catalog, 'servers'>;

/** @param former Of which servers outside of the group bare URIs may be. */
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

/** Where the group's entries of `included_resources` are looked for. */
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

/** URIs stay as they are; of one that two servers list, the later is `{server}+{uri}` (mcp-spec rule 47). */
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

/** Each under the first of its names that is free; left out when none is. */
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
