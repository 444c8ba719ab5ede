/**
 * `${NAME}` references in the strings of a registration config (contract section 4). This file only finds them;
 * values are read by whoever starts the server, from the secrets method, and stay with it.
 */

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names in order of their first appearance, each once. */
export function referencesIn(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    for (const match of text.matchAll(reference)) names.add(match[1] ?? '');
  }
  return [...names];
}

export function hasReference(text: string): boolean {
  return text.search(reference) >= 0;
}

export function toReference(name: string): string {
  return `\${${name}}`;
}
