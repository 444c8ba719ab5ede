import { isTryOutName } from '../container-names.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import type { ContainerRows } from './container-rows.ts';

/** It holds what a server's shared container may. */
export function hasRun({ name, sessionId, status }: ContainerFacts): boolean {
  return sessionId === undefined && status !== 'created' && !isTryOutName(name);
}

/** Gives a server that has no row the containers of its that a lost database left: what has run always had one. */
export async function takeOverLeft(
  { containers, rows }: { readonly containers: Pick<Containers, 'list'>; readonly rows: ContainerRows },
  server: string,
): Promise<void> {
  const left = (await containers.list()).filter((facts) => facts.server === server && hasRun(facts));
  for (const { id, configHash } of left) {
    if (rows.find(id) === undefined) await rows.add({ id, server, sessionId: undefined, configHash });
  }
}
