import type { Catalog } from '../../catalog/catalog.ts';
import type { Offers, ServerOffers } from '../../catalog/offers.ts';
import { fullToolName } from '../../names/names.ts';
import { serverOf } from '../../names/server-of.ts';
import type { Group } from '../groups.ts';
import { shownNameOf } from '../names/exposed-names.ts';
import type { FormerServers } from '../names/former-servers.ts';
import {
  createFindOffer,
  type EntryScope,
  type OfferOf,
  offersOfEntry,
  ofServer,
  ownServers,
} from './resource-entries.ts';
import { type KnownTools, namesOf } from './visible-tools.ts';

/**
 * What an agent of a group sees besides tools (contract section 4, `included_prompts` and `included_resources`). A
 * group that lists none has all those of the servers behind it: of its tools, and of `included_servers`.
 */
export interface VisibleOffer extends OfferOf {
  /** What agents ask for it by. */
  readonly visibleKey: string;
}

export interface VisibleOffers {
  /** By name: the servers behind the group, and those of what it lists. */
  readonly servers: ReadonlyMap<string, ServerOffers>;
  readonly prompts: readonly VisibleOffer[];
  readonly resources: readonly VisibleOffer[];
  readonly templates: readonly VisibleOffer[];
}

export type KnownServers = KnownTools & Pick<Catalog, 'servers'>;

/** @param former Of which servers outside of the group bare URIs may be. */
export function visibleOffers(
  group: Group,
  catalog: KnownServers,
  offers: Pick<Offers, 'of'>,
  former?: FormerServers,
): VisibleOffers {
  const behind = known(serversBehind(group, catalog), offers);
  const scope = entryScope(group, catalog, offers, former);
  const all = new Map([...behind, ...scope.all]);
  const prompts = group.includedPrompts
    ? group.includedPrompts.flatMap((name) => findPrompt(name, all))
    : [...behind].flatMap(([server, { prompts }]) => prompts.map((offer) => ({ server, offer })));
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
  offers: Pick<Offers, 'of'>,
  former?: FormerServers,
): EntryScope {
  const registered = catalog.servers().map(({ name }) => name);
  const all = known(registered, offers);
  return {
    own: group.includedResources ? ownServers(group, catalog) : [],
    all,
    find: createFindOffer(all),
    formerServer: (entry) => former?.serverOf(group.name, entry),
  };
}

function serversBehind(group: Group, catalog: KnownServers): readonly string[] {
  const ofTools = namesOf(group, catalog).filter((name) => catalog.tool(name) !== undefined);
  const whole = group.includedServers.filter((server) => catalog.server(server) !== undefined);
  return [...new Set([...ofTools.map(serverOf), ...whole])];
}

function known(servers: readonly string[], offers: Pick<Offers, 'of'>): Map<string, ServerOffers> {
  const found = new Map<string, ServerOffers>();
  for (const server of servers) {
    const of = offers.of(server);
    if (of) found.set(server, of);
  }
  return found;
}

function findPrompt(fullName: string, all: ReadonlyMap<string, ServerOffers>): OfferOf[] {
  const server = serverOf(fullName);
  const offer = all.get(server)?.prompts.find(({ key }) => fullToolName(server, key) === fullName);
  return offer ? [{ server, offer }] : [];
}

function namePrompts(prompts: readonly OfferOf[], group: Group): readonly VisibleOffer[] {
  return unique(prompts, ({ server, offer }) => {
    const fullName = fullToolName(server, offer.key);
    const shown = shownNameOf(group, fullName, offer.key);
    return shown === undefined ? [] : [shown, fullName];
  });
}

/** URIs stay as they are; of one that two servers list, the later is `{server}+{uri}` (mcp-spec rule 47). */
function resourcesOf(
  group: Group,
  behind: ReadonlyMap<string, ServerOffers>,
  scope: EntryScope,
  kind: 'resources' | 'templates',
): readonly VisibleOffer[] {
  const listed = group.includedResources
    ? group.includedResources.flatMap((entry) => offersOfEntry(entry, kind, scope).slice(0, 1))
    : [...behind].flatMap(([server, lists]) => lists[kind].map((offer) => ({ server, offer })));
  return unique(listed, ({ server, offer }) => [offer.key, ofServer(server, offer.key)]);
}

/** Each under the first of its names that is free; left out when none is. */
function unique(
  offers: readonly OfferOf[],
  namesOf: (offer: OfferOf) => readonly string[],
): readonly VisibleOffer[] {
  const taken = new Map<string, VisibleOffer>();
  for (const offer of offers) {
    const visibleKey = namesOf(offer).find((name) => !taken.has(name));
    if (visibleKey !== undefined) taken.set(visibleKey, { ...offer, visibleKey });
  }
  return [...taken.values()];
}
