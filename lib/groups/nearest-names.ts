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
  return editDistance(wanted.toLowerCase(), name.toLowerCase());
}

/** Levenshtein, one row at a time. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
