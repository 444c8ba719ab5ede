import type { StoredTool } from '../../catalog/catalog.ts';
import { Failure } from '../../failure.ts';
import { assertKnown, type GroupToolsDeps, readGroupTools } from '../group-tools.ts';
import { type ApprovedDefinition, definitionOf } from './approval-rows.ts';

/**
 * A tool of a group whose server changed the definition after its approval: both definitions, and the approval of the new
 * one.
 */
export interface DefinitionChange {
  readonly current: StoredTool;
  /** Undefined: the tool was just added to the group. */
  readonly approved: ApprovedDefinition | undefined;
}

/** @throws Failure `tool_not_found` for a tool of no server or outside of the group, and as `readGroupTools`. */
export async function readChange(
  deps: GroupToolsDeps,
  group: string,
  tool: string,
): Promise<DefinitionChange> {
  const current = memberOf(deps, group, tool);
  return { current, approved: await deps.approvals.find(group, tool) };
}

/**
 * @param hash Of the definition that the caller saw.
 * @throws Failure as `readChange`, and `conflict` when the server lists yet another definition by now, which the caller
 * did not see.
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
