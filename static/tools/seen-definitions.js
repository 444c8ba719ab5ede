// @ts-check
// Which definition of a tool a person ticked, so that a Save approves that one and no later one; and which one was
// approved before, so that an Undo brings the mark back.

/** @typedef {ReadonlyMap<string, string>} Hashes Tool name → hash of a definition. */
/** @typedef {Readonly<Record<string, readonly import('./sections.js').Tool[]>>} Tools */

/**
 * @param {Hashes} seen @param {Iterable<string>} names Of what is ticked now. @param {Tools} tools
 * @returns {Hashes}
 */
export function sawDefinitions(seen, names, tools) {
  return new Map([...seen, ...hashesOf(names, tools, ({ definition_hash }) => definition_hash)]);
}

/** @param {import('./selection.js').Draft} draft What is switched off stands in it as false. @param {Tools} tools */
export function approvedBefore(draft, tools) {
  const off = [...draft].filter(([, isOn]) => !isOn).map(([name]) => name);
  return hashesOf(off, tools, ({ approved_hash, definition_hash }) => approved_hash ?? definition_hash);
}

/** What a Save sends: of the tools that it switches on. @param {Iterable<string>} names @param {Hashes} hashes */
export function hashesToSend(names, hashes) {
  return Object.fromEntries([...names].flatMap((name) => entryOf(name, hashes.get(name))));
}

/**
 * @param {Iterable<string>} names @param {Tools} tools
 * @param {(tool: import('./sections.js').Tool) => string | undefined} hashOf
 * @returns {Hashes}
 */
function hashesOf(names, tools, hashOf) {
  const listed = new Map(Object.values(tools).flatMap((list) => list.map((tool) => [tool.name, tool])));
  return new Map(
    [...names].flatMap((name) => {
      const tool = listed.get(name);
      return entryOf(name, tool && hashOf(tool));
    }),
  );
}

/** @param {string} name @param {string | undefined} hash @returns {[string, string][]} */
const entryOf = (name, hash) => (hash === undefined ? [] : [[name, hash]]);
