import { containerName, isRetiredName, retiredName } from '../container-names.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import type { ContainerRows } from './container-rows.ts';
import { keptForItsLayer, keptForItsSuccessor, layerData } from './data-at-risk.ts';

/**
 * Replaces one container by another. A container with files outside of volumes stays, unless a request allowed to
 * discard them; any other is stopped and renamed until its successor has answered, and restored if that fails.
 */
export interface Replacements {
  /** A request that may replace the container has begun; the returned function ends it. */
  beginReplacing(server: string, mayDiscard: boolean): () => void;
  /** Why the container must stay, which becomes the server's `problem`; undefined: it may be replaced. */
  reasonToKeep(facts: ContainerFacts, hash: string): Promise<string | undefined>;
  /** The server's container fits again. */
  clearProblem(server: string, sessionId: string | undefined): void;
  problem(server: string): string | undefined;
  retire(facts: ContainerFacts): Promise<void>;
  /** Reverts `retire`. */
  bringBack(facts: ContainerFacts): Promise<void>;
  /** The container has answered: its predecessor is removed. */
  answered(facts: ContainerFacts): Promise<void>;
  /** The container will not answer. True: it was removed, and its predecessor was restored. */
  givenUp(facts: ContainerFacts): Promise<boolean>;
  /** The server was removed. */
  forget(server: string): void;
  /** Whether the retired container waits for its successor to answer. */
  isWaiting(facts: ContainerFacts): boolean;
}

export interface ReplacementsOptions {
  readonly containers: Containers;
  readonly rows: ContainerRows;
  readonly discard: (id: string) => Promise<void>;
  /** The container's next end is intended. */
  readonly expectEnd: (id: string) => void;
  /** A server's problem has changed. */
  readonly onProblem: (server: string) => void;
}

type Owner = Pick<ContainerFacts, 'server' | 'sessionId'>;

export function createReplacements(options: ReplacementsOptions): Replacements {
  const { containers, rows, discard } = options;
  const problems = new Map<string, { readonly server: string; readonly problem: string }>();
  /** The hash of the container that failed last, by server and session. */
  const failed = new Map<string, string>();
  const mayDiscard = new Map<string, number>();
  const hasAnswered = new Set<string>();
  const keyOf = ({ server, sessionId }: Owner) => `${server}\n${sessionId ?? ''}`;

  function setProblem(owner: Owner, problem: string | undefined): void {
    const key = keyOf(owner);
    if (problems.get(key)?.problem === problem) return;
    if (problem === undefined) problems.delete(key);
    else problems.set(key, { server: owner.server, problem });
    options.onProblem(owner.server);
  }

  async function retiredOf({ server, sessionId }: Owner): Promise<ContainerFacts[]> {
    const own = rows.of(server).filter((row) => row.sessionId === sessionId);
    const found = await Promise.all(own.map(({ id }) => containers.inspect(id)));
    return found.filter((facts) => facts !== undefined && isRetiredName(facts.name)) as ContainerFacts[];
  }

  async function bringBack({ id, server, sessionId }: ContainerFacts): Promise<void> {
    await containers.rename(id, await containerName(server, sessionId));
  }

  return {
    bringBack,
    beginReplacing(server, isLossAllowed) {
      for (const key of failed.keys()) if (key.startsWith(`${server}\n`)) failed.delete(key);
      if (!isLossAllowed) return () => {};
      mayDiscard.set(server, (mayDiscard.get(server) ?? 0) + 1);
      return () => void mayDiscard.set(server, (mayDiscard.get(server) ?? 1) - 1);
    },
    async reasonToKeep(facts, hash) {
      let reason: string | undefined;
      if (failed.get(keyOf(facts)) === hash) reason = keptForItsSuccessor(facts.server);
      else if ((mayDiscard.get(facts.server) ?? 0) === 0) {
        const layer = await layerOf(containers, facts);
        reason = layer && keptForItsLayer(facts.server, layer);
      }
      if (reason !== undefined) setProblem(facts, reason);
      return reason;
    },
    clearProblem: (server, sessionId) => setProblem({ server, sessionId }, undefined),
    problem: (server) => [...problems.values()].find((each) => each.server === server)?.problem,
    async retire({ id, name, server, sessionId }) {
      options.expectEnd(id);
      await containers.stop(id);
      if (!isRetiredName(name))
        await containers.rename(id, retiredName(await containerName(server, sessionId)));
    },
    async answered(facts) {
      hasAnswered.add(facts.id);
      for (const { id } of await retiredOf(facts)) if (id !== facts.id) await discard(id);
    },
    async givenUp(facts) {
      const [before] = await retiredOf(facts);
      if (hasAnswered.has(facts.id) || before === undefined || before.id === facts.id) return false;
      failed.set(keyOf(facts), facts.configHash);
      await discard(facts.id);
      await bringBack(before);
      return true;
    },
    forget(server) {
      for (const key of [...failed.keys(), ...problems.keys()]) {
        if (!key.startsWith(`${server}\n`)) continue;
        failed.delete(key);
        problems.delete(key);
      }
    },
    isWaiting: (facts) =>
      isRetiredName(facts.name) &&
      !rows.of(facts.server).some((row) => row.sessionId === facts.sessionId && hasAnswered.has(row.id)),
  };
}

/** The data in its writable layer that would be lost. */
export async function layerOf(containers: Pick<Containers, 'changes'>, { id, mounts }: ContainerFacts) {
  return layerData(
    await containers.changes(id),
    mounts.map(({ path }) => path),
  );
}
