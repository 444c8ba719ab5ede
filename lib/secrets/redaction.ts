/**
 * Blots known secret values out of texts that somebody else wrote, such as what a server prints. Finds a value as it
 * is, as JSON writes it, and a value of several lines line by line, since texts are looked at line by line. What a
 * program does beyond that with a value (base64, splitting) stays visible.
 */
export interface Redaction {
  /** Values that must not be seen from now on, besides those hidden before. */
  hide(values: readonly string[]): void;
  apply(text: string): string;
  /** Length of the longest thing that is hidden: so much text must be at hand to find it whole. */
  longest(): number;
}

/** Shorter ones are no secrets, and hiding them would spoil every line. */
const shortestHidden = 4;
const shortestHiddenLine = 8;

export function createRedaction(): Redaction {
  const hidden = new Set<string>();
  /** Longest first: a value that is part of another must not break it in two. */
  let ordered: readonly string[] = [];

  return {
    hide(values) {
      for (const value of values) {
        if (value.length >= shortestHidden) hidden.add(value).add(asInJson(value));
        for (const line of linesOf(value)) hidden.add(line).add(asInJson(line));
      }
      ordered = [...hidden].sort((one, other) => other.length - one.length);
    },
    apply(text) {
      let blotted = text;
      for (const value of ordered) blotted = blotted.replaceAll(value, '***');
      return blotted;
    },
    longest: () => ordered[0]?.length ?? 0,
  };
}

function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function linesOf(value: string): string[] {
  if (!value.includes('\n')) return [];
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestHiddenLine);
}
