import type { StoredTool } from '../../catalog/catalog.ts';
import { Failure } from '../../failure.ts';
import { assertKnown, type GroupToolsDeps, readGroupTools } from '../group-tools.ts';
import { type ApprovedDefinition, definitionOf } from './approvals.ts';

/**
 * A tool of a group whose server defines it otherwise than when it was accepted: what it was and is, and the one act
 * besides switching it on that accepts the new definition.
 */
export interface DefinitionChange {
  readonly current: StoredTool;
  /** Undefined: a tool that came into the group a moment ago. */
  readonly accepted: ApprovedDefinition | undefined;
}

/** @throws Failure `tool_not_found` for one that no server offers or that is not in the group, and as `readGroupTools`. */
export async function readChange(
  deps: GroupToolsDeps,
  group: string,
  tool: string,
): Promise<DefinitionChange> {
  const current = memberOf(deps, group, tool);
  return { current, accepted: await deps.approvals.find(group, tool) };
}

/**
 * @param hash Of the definition that the caller saw.
 * @throws Failure as `readChange`, and `conflict` when the server lists yet another one by now: nobody approves what they
 *   did not see.
 */
export async function approveChange(
  deps: GroupToolsDeps,
  group: string,
  tool: string,
  hash: string,
): Promise<void> {
  const current = memberOf(deps, group, tool);
  if (hash !== current.hash) {
    throw new Failure('conflict', 'The definition is another one by now; look at it again.', {
      details: { definition_hash: current.hash },
    });
  }
  await deps.approvals.approve(group, new Map([[tool, definitionOf(current)]]));
}

function memberOf(deps: GroupToolsDeps, group: string, name: string): StoredTool {
  const { tools } = readGroupTools(deps, group);
  assertKnown(deps.catalog, [name]);
  const tool = deps.catalog.tool(name);
  if (tool === undefined || !tools.includes(name)) {
    throw new Failure('tool_not_found', `The tool is not in group \`${group}\`.`);
  }
  return tool;
}
