import type { Catalog } from '../../catalog/catalog.ts';
import { type Approvals, type Definition, definitionOf } from './approvals.ts';

/** Full tool name → hash of the definition that the caller saw. */
export type SeenHashes = ReadonlyMap<string, string>;

export interface ApproveSeenDeps {
  readonly catalog: Pick<Catalog, 'tool'>;
  readonly approvals: Pick<Approvals, 'approve'>;
}

/**
 * Accepts the definitions of tools that somebody switches on: those that they saw, which may be older than what the
 * server lists by now and then show as changed at once; of tools that they say nothing of, the current ones.
 */
export function approveSeen(
  { catalog, approvals }: ApproveSeenDeps,
  group: string,
  tools: readonly string[],
  seen: SeenHashes,
): Promise<void> {
  const accepted = new Map<string, Definition>();
  for (const name of tools) {
    const tool = catalog.tool(name);
    if (tool === undefined) continue;
    const hash = seen.get(name) ?? tool.hash;
    accepted.set(name, hash === tool.hash ? definitionOf(tool) : { hash, text: undefined });
  }
  return approvals.approve(group, accepted);
}
