/**
 * "Did you mean": the known names most like an unknown one. A bare tool name finds the tool on any server; else
 * edit distance decides, up to a third of the name's length.
 */
const longestCompared = 128;

export function nearestNames(wanted: string, known: Iterable<string>, atMost = 3): readonly string[] {
  if (wanted === '' || wanted.length > longestCompared) return [];
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  const ranked: { name: string; distance: number }[] = [];
  for (const name of known) {
    const distance = likeness(wanted, name, limit);
    if (distance <= limit) ranked.push({ name, distance });
  }
  ranked.sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1));
  return ranked.slice(0, atMost).map(({ name }) => name);
}

function likeness(wanted: string, name: string, limit: number): number {
  if (name.endsWith(`__${wanted}`)) return 0;
  if (Math.abs(wanted.length - name.length) > limit) return Number.POSITIVE_INFINITY;
  const shared = sharedStart(wanted, name);
  return editDistance(wanted.slice(shared).toLowerCase(), name.slice(shared).toLowerCase(), limit);
}

/** Most names share their server; what is equal at the start costs nothing. */
function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** Levenshtein, one row at a time; infinite once no continuation can be within the limit. */
function editDistance(one: string, other: string, limit: number): number {
  const row = Uint16Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const letter = one.charCodeAt(i - 1);
    let diagonal = i - 1;
    let left = i;
    let best = i;
    row[0] = i;
    for (let j = 1; j <= other.length; j++) {
      const above = row[j] as number;
      const substituted = other.charCodeAt(j - 1) === letter ? diagonal : diagonal + 1;
      left = Math.min(substituted, above + 1, left + 1);
      if (left < best) best = left;
      row[j] = left;
      diagonal = above;
    }
    if (best > limit) return Number.POSITIVE_INFINITY;
  }
  return row[other.length] as number;
}
