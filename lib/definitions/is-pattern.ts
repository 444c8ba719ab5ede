/**
 * Whether clients accept a text as a pattern (ECMA-262, with `u`); nothing is ever matched against it here. Compiling a
 * property of characters costs a tenth of a millisecond, and a hostile pattern has a million of them: each property is
 * compiled once, and replaced by a cheap class of characters in the pattern.
 */
export function isPattern(text: string): boolean {
  let hasUnknown = false;
  const cheaper = text.replace(escaped, (one, property: string | undefined) => {
    if (hasUnknown || property === undefined) return one;
    hasUnknown = !isProperty(property);
    return '\\w';
  });
  return !hasUnknown && isReadable(cheaper);
}

/** A backslash with the character after it, which may be another backslash. */
const escaped = /\\(?:[pP]\{([^{}]*)\}|[\s\S])/g;

/** Known properties: there are some thousands. */
const properties = new Set<string>();
const longestProperty = 64;

function isProperty(property: string): boolean {
  if (properties.has(property)) return true;
  if (property.length > longestProperty || !isReadable(`\\p{${property}}`)) return false;
  properties.add(property);
  return true;
}

function isReadable(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
