/**
 * Blots known secret values out of texts that somebody else wrote, such as what a server prints. Finds a value as it
 * is, as JSON and addresses write it, in one line, without the scheme of an `Authorization` header, and a value of several lines line by line, since texts are looked at line by line. What a
 * program does beyond that with a value (base64, splitting) stays visible.
 */
export interface Redaction {
  /** Values that must not be seen from now on, besides those hidden before. */
  hide(values: readonly string[]): void;
  apply(text: string): string;
  /** As `apply`, of text that may have been cut off within a value: what is there of that goes as well. */
  applyToCut(text: string): string;
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

  function apply(text: string): string {
    let blotted = text;
    for (const value of ordered) blotted = blotted.replaceAll(value, '***');
    return blotted;
  }

  return {
    hide(values) {
      for (const value of values) {
        for (const form of formsOf(value)) {
          if (form.length >= shortestHidden) hidden.add(form).add(asInJson(form));
        }
        for (const line of linesOf(value)) hidden.add(line).add(asInJson(line));
      }
      ordered = [...hidden].sort((one, other) => other.length - one.length);
    },
    apply,
    applyToCut(text) {
      const blotted = apply(text);
      const begun = Math.min(...ordered.map((value) => beginOf(value, blotted)));
      return begun < blotted.length ? `${blotted.slice(0, begun)}***` : blotted;
    },
    longest: () => ordered[0]?.length ?? 0,
  };
}

/** Where `text` has the beginning of `value` as its end; its length where it has none. */
function beginOf(value: string, text: string): number {
  const head = value.slice(0, shortestHidden);
  let at = text.indexOf(head, Math.max(0, text.length - value.length + 1));
  while (at !== -1 && !value.startsWith(text.slice(at))) at = text.indexOf(head, at + 1);
  return at === -1 ? text.length : at;
}

/** Others quote the credentials that they refuse without their scheme, and requests by their addresses. */
function formsOf(value: string): string[] {
  const wellFormed = value.replace(/\p{Cs}/gu, '\ufffd');
  const credentials = value.replace(/^(?:bearer|basic|token|apikey) +/i, '');
  return [value, credentials, value.replace(/\s+/g, ' ').trim(), encodeURIComponent(wellFormed)];
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
