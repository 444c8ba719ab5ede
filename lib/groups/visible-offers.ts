import type { Catalog } from '../catalog/catalog.ts';
import { fullToolName } from '../catalog/names.ts';
import type { Offer, Offers, ServerOffers } from '../catalog/offers.ts';
import { shownNameOf } from './exposed-names.ts';
import type { Group } from './groups.ts';
import { serverOf } from './server-of.ts';
import { type KnownTools, namesOf } from './visible-tools.ts';

/**
 * What an agent of a group sees besides tools (contract section 4, `included_prompts` and `included_resources`). A
 * group that lists none has all those of the servers behind it: of its tools, and of `included_servers`.
 */
export interface VisibleOffer {
  readonly server: string;
  readonly offer: Offer;
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

type Lists = Pick<ServerOffers, 'resources' | 'templates'>;
export type KnownServers = KnownTools & Pick<Catalog, 'servers'>;

export function visibleOffers(
  group: Group,
  catalog: KnownServers,
  offers: Pick<Offers, 'of'>,
): VisibleOffers {
  const behind = known(serversBehind(group, catalog), offers);
  const all = new Map([
    ...behind,
    ...known(
      catalog.servers().map(({ name }) => name),
      offers,
    ),
  ]);
  const prompts = group.includedPrompts
    ? group.includedPrompts.flatMap((name) => findPrompt(name, all))
    : [...behind].flatMap(([server, { prompts }]) => prompts.map((offer) => ({ server, offer })));
  const visible = {
    prompts: namePrompts(prompts, group),
    resources: resourcesOf(group, behind, all, 'resources'),
    templates: resourcesOf(group, behind, all, 'templates'),
  };
  const servers = new Map(behind);
  for (const { server } of Object.values(visible).flat()) {
    const of = all.get(server);
    if (of) servers.set(server, of);
  }
  return { servers, ...visible };
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

type Unnamed = Omit<VisibleOffer, 'visibleKey'>;

function findPrompt(fullName: string, all: ReadonlyMap<string, ServerOffers>): Unnamed[] {
  const server = serverOf(fullName);
  const offer = all.get(server)?.prompts.find(({ key }) => fullToolName(server, key) === fullName);
  return offer ? [{ server, offer }] : [];
}

function namePrompts(prompts: readonly Unnamed[], group: Group): readonly VisibleOffer[] {
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
  all: ReadonlyMap<string, ServerOffers>,
  kind: keyof Lists,
): readonly VisibleOffer[] {
  const listed = group.includedResources
    ? group.includedResources.flatMap((uri) => findResource(uri, all, kind))
    : [...behind].flatMap(([server, lists]) => lists[kind].map((offer) => ({ server, offer })));
  return unique(listed, ({ server, offer }) => [offer.key, ofServer(server, offer.key)]);
}

function findResource(uri: string, all: ReadonlyMap<string, ServerOffers>, kind: keyof Lists): Unnamed[] {
  for (const [server, lists] of all) {
    const offer = lists[kind].find(({ key }) => key === uri || ofServer(server, key) === uri);
    if (offer) return [{ server, offer }];
  }
  return [];
}

export function ofServer(server: string, uri: string): string {
  return `${server}+${uri}`;
}

/** Each under the first of its names that is free; left out when none is. */
function unique(
  offers: readonly Unnamed[],
  namesOf: (offer: Unnamed) => readonly string[],
): readonly VisibleOffer[] {
  const taken = new Map<string, VisibleOffer>();
  for (const offer of offers) {
    const visibleKey = namesOf(offer).find((name) => !taken.has(name));
    if (visibleKey !== undefined) taken.set(visibleKey, { ...offer, visibleKey });
  }
  return [...taken.values()];
}
