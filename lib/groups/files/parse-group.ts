import { Failure } from '../../failure.ts';
import { check } from '../../json/check.ts';
import { parseJson } from '../../json/parse-json.ts';
import { membership } from '../group-lists.ts';
import type { Group, GroupChange, GroupLists } from '../groups.ts';
import { GroupFile } from './group-file.ts';

/**
 * A group file's text as a Group, or a sentence with the reason why it is unusable, and back to text
 * (docs/api.md, Group files). Only this file uses the snake_case form. No fault is corrected silently: one wrong field
 * makes the whole file unusable, and its last good version continues to serve.
 */
export type ParsedGroup = { readonly group: Group } | UnusableGroup;

export interface UnusableGroup {
  readonly problem: string;
  /** The version that continues to serve; absent: the one that this process read last. */
  readonly lastGood?: Group | undefined;
}

export interface GroupFileText {
  readonly text: string;
  readonly etag: string;
  readonly modifiedAt: Date;
}

export function parseGroup(name: string, file: GroupFileText): ParsedGroup {
  try {
    const document = parseJson(file.text.replace(/^\uFEFF/, ''));
    const group = toGroup(check(document, GroupFile), document as Group['document'], file);
    const problem = findProblem(name, group);
    return problem === undefined ? { group } : { problem };
  } catch (error) {
    if (error instanceof Failure) return { problem: asFileProblem(error) };
    throw error;
  }
}

/** The same file after a change; an absent field stays absent while it would be empty. */
export function withChange(group: Group, change: GroupChange): Record<string, unknown> {
  const { description = group.description, exposedNames = group.exposedNames } = change;
  const document: Record<string, unknown> = { ...group.document };
  if (description !== group.description) document.description = description;
  if (exposedNames !== group.exposedNames) setNames(document, exposedNames);
  const { includedPrompts } = change;
  if (includedPrompts !== undefined && document.included_prompts !== undefined)
    document.included_prompts = includedPrompts;
  document.included_tools = change.includedTools;
  setList(document, 'included_servers', change.includedServers);
  setList(document, 'excluded_tools', change.excludedTools);
  return document;
}

export function formatGroup(document: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Deletes the empty field, so that adding the first name and removing it restores the file. */
function setNames(document: Record<string, unknown>, names: ReadonlyMap<string, string>): void {
  if (names.size > 0) document.exposed_names = Object.fromEntries(names);
  else delete document.exposed_names;
}

function setList(document: Record<string, unknown>, field: string, list: readonly string[]): void {
  if (list.length > 0 || document[field] !== undefined) document[field] = list;
}

function toGroup(fields: GroupFile, document: Group['document'], file: GroupFileText): Group {
  return {
    name: fields.name,
    description: fields.description ?? '',
    includedTools: fields.included_tools,
    includedServers: fields.included_servers ?? [],
    excludedTools: fields.excluded_tools ?? [],
    includedPrompts: fields.included_prompts,
    includedResources: fields.included_resources,
    exposedNames: new Map(Object.entries(fields.exposed_names ?? {})),
    document,
    etag: file.etag,
    modifiedAt: file.modifiedAt,
  };
}

function findProblem(name: string, group: Group): string | undefined {
  if (group.name !== name) return 'Field `name`: expected the name of the file, without `.json`.';
  const { includedPrompts = [], exposedNames } = group;
  const tool = findSharedName(group, exposedNames);
  // Prompts have names of their own; only those that the file lists are checked.
  const ofPrompts = { includedTools: includedPrompts, includedServers: [], excludedTools: [] };
  const prompt = findSharedName(ofPrompts, exposedNames);
  const shared = tool ?? prompt;
  if (shared === undefined) return undefined;
  const kind = tool === undefined ? 'prompts' : 'tools';
  return `Field \`exposed_names\`: two ${kind} of the group would both be seen as \`${shared}\`.`;
}

/**
 * A visible name that two members of the group would share; undefined when all differ. Decided from the file alone, so that
 * a group does not break when a server comes or goes: every name that an included server *could* offer counts as taken.
 */
function findSharedName(lists: GroupLists, exposedNames: Group['exposedNames']): string | undefined {
  const isMember = membership(lists);
  const taken = new Set<string>();
  for (const [fullName, visibleName] of exposedNames) {
    if (!isMember(fullName)) continue;
    // The second member has the name as its full name, and no other one in `exposed_names`.
    if (taken.has(visibleName) || (isMember(visibleName) && !exposedNames.has(visibleName)))
      return visibleName;
    taken.add(visibleName);
  }
  return undefined;
}

function asFileProblem(failure: Failure): string {
  return failure.code === 'parse_error' ? 'The file is not valid JSON.' : failure.message;
}
