/**
 * Which definition of a tool a group's owner has seen (contract section 1, `state` of `GET /api/tools`): the one stored
 * when the tool was switched on or a change was approved, or, for hand edits, when it was first seen in the file. Always
 * the server's own definition, to the letter.
 */
export interface Approvals {
  /** Tool name → hash of the accepted definition. From memory. */
  approved(group: string): ReadonlyMap<string, string>;
  /** Stores these definitions as accepted. */
  approve(group: string, tools: Definitions): Promise<void>;
  /** From now on `to` has what is accepted for `from`, and nothing else. @throws Failure `database_unavailable`. */
  copy(from: string, to: string): Promise<void>;
  /** What is accepted with its text. @throws Failure `database_unavailable`. */
  find(group: string, tool: string): Promise<ApprovedDefinition | undefined>;
}

export interface Definition {
  readonly hash: string;
  /** The text of that hash; undefined: it is not at hand, or longer than what is kept. */
  readonly text: string | undefined;
}

export interface ApprovedDefinition extends Definition {
  readonly approvedAt: Date;
}

/** By full tool name. */
export type Definitions = ReadonlyMap<string, Definition>;

/** In characters. What is longer is accepted by its hash alone. */
const longestKept = 65_536;

/** What is stored of a tool as its server lists it now. */
export function definitionOf({
  hash,
  definition,
}: {
  readonly hash: string;
  readonly definition: string;
}): Definition {
  return { hash, text: definition.length > longestKept ? undefined : definition };
}
