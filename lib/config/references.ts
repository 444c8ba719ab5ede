/**
 * `${NAME}` references in the strings of a registration config (contract section 4): what one looks like is said here
 * and nowhere else. Values are read by whoever starts the server, from the secrets method, and stay with it.
 */

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names in order of their first appearance, each once. */
export function referencedNames(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    for (const match of text.matchAll(reference)) names.add(match[1] ?? '');
  }
  return [...names];
}

export function hasReference(text: string): boolean {
  return text.search(reference) >= 0;
}

/** A value is not looked into: what looks like a reference in it is none. */
export function replaceReferences(text: string, value: (name: string) => string): string {
  return text.replace(reference, (_, name: string) => value(name));
}

export function toReference(name: string): string {
  return `\${${name}}`;
}
