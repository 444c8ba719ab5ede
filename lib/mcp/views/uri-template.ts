/**
 * Whether a URI matches a URI template (RFC 6570, all operators). Only for routing: no variables are extracted. The URI
 * is walked once for each part of the template, because a backtracking pattern with several wildcards, which servers
 * choose and clients feed, would cost a power of the URI's length.
 */
export type UriMatcher = (uri: string) => boolean;

type Part =
  | { readonly literal: string }
  /** `prefix`, then at least one character that is not in `stops`; all of that may be missing when `isOptional`. */
  | { readonly prefix: string; readonly stops: string; readonly isOptional: boolean };

const segment = '/?#';
/** By operator: the first characters of an expansion, and the characters that end it. */
const expansions: Readonly<Record<string, Part>> = {
  '': { prefix: '', stops: segment, isOptional: false },
  '+': { prefix: '', stops: '', isOptional: false },
  '#': { prefix: '#', stops: '', isOptional: true },
  '.': { prefix: '.', stops: segment, isOptional: true },
  '/': { prefix: '/', stops: '?#', isOptional: true },
  ';': { prefix: ';', stops: segment, isOptional: true },
  '?': { prefix: '?', stops: '#', isOptional: true },
  '&': { prefix: '&', stops: '#', isOptional: true },
};

export function compileUriTemplate(template: string): UriMatcher {
  const parts = toParts(template);
  return (uri) => {
    let reachable = new Set([0]);
    for (const part of parts) {
      reachable =
        'literal' in part ? afterLiteral(uri, reachable, part.literal) : afterExpansion(uri, reachable, part);
      if (reachable.size === 0) return false;
    }
    return reachable.has(uri.length);
  };
}

/** The number of characters of a template outside of expressions: the template's specificity. */
export function literalLength(template: string): number {
  return toParts(template).reduce((sum, part) => sum + ('literal' in part ? part.literal.length : 0), 0);
}

function toParts(template: string): Part[] {
  return template.split(/(\{[^{}]*\})/).flatMap((piece): Part[] => {
    if (piece === '') return [];
    const operator = /^\{([+#./;?&]?)/.exec(piece)?.[1];
    const expansion = operator === undefined ? undefined : expansions[operator];
    return [expansion ?? { literal: piece }];
  });
}

function afterLiteral(uri: string, reachable: ReadonlySet<number>, literal: string): Set<number> {
  const after = new Set<number>();
  for (const at of reachable) if (uri.startsWith(literal, at)) after.add(at + literal.length);
  return after;
}

function afterExpansion(
  uri: string,
  reachable: ReadonlySet<number>,
  part: Exclude<Part, { readonly literal: string }>,
): Set<number> {
  const starts = afterLiteral(uri, reachable, part.prefix);
  const after = new Set(part.isOptional ? reachable : []);
  let isInside = false;
  for (let at = 0; at < uri.length; at++) {
    isInside = (isInside || starts.has(at)) && !part.stops.includes(uri.charAt(at));
    if (isInside) after.add(at + 1);
  }
  return after;
}
