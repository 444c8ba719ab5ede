import { hasOtherName, isSpareName } from '../container-names.ts';
import type { ContainerEvent, ContainerFacts, Containers } from '../containers.ts';
import type { ContainerState } from './container-store.ts';

/**
 * What the engine says of our containers, kept in memory so that asking costs nothing: looked at anew after each of
 * their events, after gaps in the events and on a timer. An engine that does not answer makes all of it unknown.
 */
export interface ContainerStates {
  of(server: string): ContainerState;
  /** The container that `of` speaks of. */
  current(server: string): ContainerFacts | undefined;
  take(event: ContainerEvent): void;
  /** Looks at all of them. Never rejects. */
  refresh(): Promise<void>;
}

export interface ContainerStatesOptions {
  readonly containers: Pick<Containers, 'inspect' | 'list'>;
  readonly onStatus: (server: string) => void;
}

export function createContainerStates({ containers, onStatus }: ContainerStatesOptions): ContainerStates {
  const known = new Map<string, ContainerFacts>();
  let isKnown = false;
  const changed = new Set<string>();
  let isLooking = false;
  /** Looks are numbered as they begin: answers overlap, and what was asked for later is newer. */
  let latestLook = 0;
  let latestList = 0;
  /** The list that what is known is from, but for the containers that were looked at since. */
  let knownSince = 0;
  const lookedAt = new Map<string, number>();

  function current(server: string): ContainerFacts | undefined {
    const all = [...known.values()].filter((facts) => facts.server === server);
    return all.sort((a, b) => rank(b) - rank(a))[0];
  }

  function of(server: string): ContainerState {
    const facts = isKnown ? current(server) : undefined;
    return {
      name: facts?.name ?? `svc-mcp-${server}`,
      status: facts?.status ?? (isKnown ? 'not found' : 'unknown'),
      running: facts?.status === 'running',
      imageId: facts?.imageId,
    };
  }

  /** Runs `change`, and tells of every server that looks different afterwards. */
  function update(change: () => void): void {
    const before = new Map([...serversNow()].map((server) => [server, JSON.stringify(of(server))]));
    change();
    for (const server of new Set([...before.keys(), ...serversNow()])) {
      if (before.get(server) !== JSON.stringify(of(server))) onStatus(server);
    }
  }

  function serversNow(): Set<string> {
    return new Set([...known.values()].map(({ server }) => server));
  }

  async function refresh(): Promise<void> {
    const look = ++latestLook;
    const listed = await containers.list().catch(() => undefined);
    if (look < latestList) return;
    latestList = look;
    update(() => {
      isKnown = listed !== undefined;
      if (listed !== undefined) takeList(listed, look);
    });
  }

  /** Of containers that were looked at since the list was asked for, that counts. */
  function takeList(listed: readonly ContainerFacts[], look: number): void {
    knownSince = look;
    for (const [id, at] of lookedAt) if (at < look) lookedAt.delete(id);
    for (const id of known.keys()) if (!lookedAt.has(id)) known.delete(id);
    for (const facts of listed) if (!lookedAt.has(facts.id)) known.set(facts.id, facts);
  }

  async function lookAt(id: string): Promise<void> {
    const look = ++latestLook;
    const found = await containers.inspect(id).then(
      (facts) => ({ facts }),
      () => undefined,
    );
    if (found === undefined || look < knownSince) return;
    lookedAt.set(id, look);
    update(() => {
      if (found.facts) known.set(id, found.facts);
      else known.delete(id);
    });
  }

  /** One after the other, so that of two looks at one container the later is the newer. */
  async function lookAtChanged(): Promise<void> {
    isLooking = true;
    for (const id of changed) {
      changed.delete(id);
      await lookAt(id);
    }
    isLooking = false;
  }

  return {
    of,
    current,
    refresh,
    take({ id }) {
      changed.add(id);
      if (!isLooking) void lookAtChanged();
    },
  };
}

/** Of a server's containers, the one that has its name, and that runs. */
function rank({ name, status }: ContainerFacts): number {
  if (hasOtherName(name) && !isSpareName(name)) return -1;
  return (isSpareName(name) ? 0 : 1) + (status === 'running' ? 2 : 0);
}
