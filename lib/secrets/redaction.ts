/**
 * Redacts known secret values in texts from outside, such as a server's output. Finds a value as it is, as JSON and
 * addresses encode it, in one line, without the scheme of an `Authorization` header, and a value of several lines line
 * by line, since texts are redacted line by line. Other transformations of a value by a program (base64, splitting)
 * stay visible.
 */
export interface Redaction {
  /** Values to redact from now on, besides the earlier ones. */
  hide(values: readonly string[]): void;
  apply(text: string): string;
  /** As `apply`, for text that may end within a value: the beginning of a value at the end is redacted too. */
  applyToCut(text: string): string;
  /** The length of the longest redacted text: so much text must be buffered to find it whole. */
  longest(): number;
}

/** Shorter values are no secrets, and redacting them would spoil every line. */
const shortestHidden = 4;
const shortestHiddenLine = 8;

export function createRedaction(): Redaction {
  const hidden = new Set<string>();
  /** Longest first: a value that is part of another must not split it. */
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

/** The index at which `text` ends with the beginning of `value`; its length where it does not. */
function beginOf(value: string, text: string): number {
  const head = value.slice(0, shortestHidden);
  let at = text.indexOf(head, Math.max(0, text.length - value.length + 1));
  while (at !== -1 && !value.startsWith(text.slice(at))) at = text.indexOf(head, at + 1);
  return at === -1 ? text.length : at;
}

/** Servers quote refused credentials without their scheme, and requests by their addresses. */
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
