/**
 * Whether clients read a text as a pattern (ECMA-262, with `u`); nothing is ever matched against it here. Properties of
 * characters cost a tenth of a millisecond each to read, and a hostile pattern has a million of them: each is read once
 * and, being one class of characters as good as another, replaced by a cheap one.
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

/** Whatever follows a backslash belongs to it, another backslash as well. */
const escaped = /\\(?:[pP]\{([^{}]*)\}|[\s\S])/g;

/** All that were met: there are some thousands. */
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
