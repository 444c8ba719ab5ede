import { hasOtherName, isSpareName } from '../container-names.ts';
import type { ContainerEvent, ContainerFacts, Containers } from '../containers.ts';
import type { ContainerState } from './container-store.ts';

/**
 * The engine's state of our containers, in memory: read again after each of their events, after gaps in the events and on
 * a timer. While the engine does not answer every state is unknown.
 */
export interface ContainerStates {
  of(server: string): ContainerState;
  /** The container whose state `of` returns. */
  current(server: string): ContainerFacts | undefined;
  receive(event: ContainerEvent): void;
  /** Lists all containers again. Never rejects. */
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
  let isInspecting = false;
  /** Reads are numbered as they begin: answers overlap, and the later request has the newer answer. */
  let latestRead = 0;
  let latestList = 0;
  /** The list that `known` is based on, apart from the containers that were inspected since. */
  let knownSince = 0;
  const inspectedAt = new Map<string, number>();

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

  /** Runs `change`, and reports every server whose state has changed. */
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
    const read = ++latestRead;
    const listed = await containers.list().catch(() => undefined);
    if (read < latestList) return;
    latestList = read;
    update(() => {
      isKnown = listed !== undefined;
      if (listed !== undefined) applyList(listed, read);
    });
  }

  /** A container that was inspected after the list was requested keeps its inspected state. */
  function applyList(listed: readonly ContainerFacts[], read: number): void {
    knownSince = read;
    for (const [id, at] of inspectedAt) if (at < read) inspectedAt.delete(id);
    for (const id of known.keys()) if (!inspectedAt.has(id)) known.delete(id);
    for (const facts of listed) if (!inspectedAt.has(facts.id)) known.set(facts.id, facts);
  }

  async function inspect(id: string): Promise<void> {
    const read = ++latestRead;
    const found = await containers.inspect(id).then(
      (facts) => ({ facts }),
      () => undefined,
    );
    if (found === undefined || read < knownSince) return;
    inspectedAt.set(id, read);
    update(() => {
      if (found.facts) known.set(id, found.facts);
      else known.delete(id);
    });
  }

  /** Sequential, so that of two reads of one container the later is the newer. */
  async function inspectChanged(): Promise<void> {
    isInspecting = true;
    for (const id of changed) {
      changed.delete(id);
      await inspect(id);
    }
    isInspecting = false;
  }

  return {
    of,
    current,
    refresh,
    receive({ id }) {
      changed.add(id);
      if (!isInspecting) void inspectChanged();
    },
  };
}

/** Prefers the container with the server's name, and a running one. */
function rank({ name, status }: ContainerFacts): number {
  if (hasOtherName(name) && !isSpareName(name)) return -1;
  return (isSpareName(name) ? 0 : 1) + (status === 'running' ? 2 : 0);
}
