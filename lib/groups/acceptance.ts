/**
 * Which definition of a tool a group's owner has seen (contract section 1, `state` of `GET /api/tools`): the
 * hash stored when the tool was included, or, for hand edits, when it was first seen in the file.
 */
export interface Acceptance {
  /** Tool name → hash of the accepted definition. From memory. */
  accepted(group: string): ReadonlyMap<string, string>;
  /** Stores the current definitions of these tools as accepted. */
  accept(group: string, tools: ReadonlyMap<string, string>): Promise<void>;
}
