/** A bad input as a file of cases has it (`run.ts` says which), and its text forms. */
import { readFileSync } from 'node:fs';

export type CaseText =
  | string
  | { readonly repeat: string; readonly times: number }
  | { readonly concat: readonly CaseText[] }
  | { readonly keys: number }
  | { readonly base64: string };

export interface CaseRequest {
  readonly target: 'gateway' | 'manager' | 'file' | 'cli';
  readonly method: string;
  readonly path: string;
  /** A list is sent as several headers, `null` takes a default one away. */
  readonly headers: Readonly<Record<string, CaseText | readonly CaseText[] | null>>;
  readonly body?: CaseText;
  readonly chunkedBody?: CaseText;
  /** The whole request, byte by byte; overrides the fields above. */
  readonly raw?: CaseText;
}

/** First value: the promise. The others are tolerated. A nested list: all equally good. Empty: any. */
export type Wanted<T> = readonly (T | readonly T[])[];

export interface Expectation {
  readonly status: Wanted<number>;
  readonly jsonrpcCode?: Wanted<number | null>;
  readonly maxMs?: number;
  readonly maxBytes?: number;
  readonly bodyMustNotContain?: readonly string[];
  readonly headersMustContain?: readonly string[];
  readonly headersMustNotContain?: readonly string[];
  readonly logMustNotContainRaw?: readonly string[];
  readonly groupFileUnchanged?: boolean;
  readonly dockerCalls?: number;
  readonly noResidue?: boolean;
  readonly noPollution?: boolean;
  readonly answersOrError?: number;
  readonly othersKeepServing?: boolean;
  readonly mayCloseWithoutAnswer?: boolean;
  readonly closedWithinSeconds?: number;
  readonly mayStream?: boolean;
  readonly successes?: number;
  readonly stderrNotEmpty?: boolean;
  readonly outputNotEmpty?: boolean;
  readonly noStack?: boolean;
  readonly outputMustContain?: readonly string[];
  readonly outputMustNotContain?: readonly string[];
  readonly mustNotExist?: readonly string[];
  readonly staysUpOrExits?: boolean;
}

export interface BadInput extends CaseRequest {
  readonly id: string;
  readonly why: string;
  readonly expect: Expectation;
  readonly holdSeconds?: number;
  readonly closeAfterMs?: number;
  readonly times?: number;
  readonly concurrency?: number;
  readonly then?: CaseRequest;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | null>>;
  readonly files?: Readonly<Record<string, CaseText>>;
}

export type Placeholders = Readonly<Record<string, string>>;

export function readCases(path: string): BadInput[] {
  return JSON.parse(readFileSync(path, 'utf8')) as BadInput[];
}

/** The bytes of a text, with `{name}` filled in where a placeholder of that name exists. */
export function textBytes(text: CaseText, placeholders: Placeholders): Buffer {
  if (typeof text === 'string') return Buffer.from(fill(text, placeholders));
  if ('base64' in text) return Buffer.from(text.base64, 'base64');
  if ('keys' in text) return Buffer.from(members(text.keys));
  if ('repeat' in text) return Buffer.from(fill(text.repeat, placeholders).repeat(text.times));
  return Buffer.concat(text.concat.map((part) => textBytes(part, placeholders)));
}

export function fill(text: string, placeholders: Placeholders): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(placeholders, name) ? (placeholders[name] ?? whole) : whole,
  );
}

/** `"k0":1,"k1":1,…` without the braces around it. */
function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
}
