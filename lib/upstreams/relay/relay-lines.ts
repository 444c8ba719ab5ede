import { Failure, type FailureCode, failureKinds } from '../../failure.ts';
import { oneLine } from '../../json/raw-json.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';

/**
 * The answer to `POST /internal/calls`: one JSON object a line, progress and messages first, one of the others last. Raw
 * JSON of servers stands unchanged in its line and is cut out again by position, so it passes byte for byte and unparsed.
 */
export const relayPath = '/internal/calls';

export type RelayLine =
  | { readonly progress: string }
  /** To be passed to the client unchanged: a notification, or a question whose answer the sender awaits. */
  | { readonly message: string }
  /** The client's connection may end here; the call goes on. */
  | { readonly hangUp: true }
  /** `isError` of the answer that follows, where that is known. Older releases ignore this line. */
  | { readonly isError: boolean }
  | { readonly answer: RawAnswer }
  | { readonly failure: Failure };

export function progressLine(message: string): string {
  return line('progress', message);
}

export function messageLine(message: string): string {
  return line('message', message);
}

export function hangUpLine(): string {
  return line('hang_up', 'true');
}

/** One line, or two. */
export function relayAnswerLine(answer: RawAnswer): string {
  if ('error' in answer) return line('error', answer.error);
  const known = answer.isError === undefined ? '' : line('is_error', String(answer.isError));
  return known + line('result', answer.result);
}

export function failureLine({ code, message, details, headers }: Failure): string {
  return line('failure', JSON.stringify({ code, message, details, headers }));
}

/** Undefined for an empty line (which keeps the connection alive) and for anything that is no line of ours. */
export function parseRelayLine(text: string): RelayLine | undefined {
  const [, kind] = /^\{"(progress|message|hang_up|is_error|result|error|failure)":/.exec(text) ?? [];
  if (kind === undefined || !text.endsWith('}')) return undefined;
  const raw = text.slice(kind.length + 4, -1);
  if (kind === 'progress') return { progress: raw };
  if (kind === 'message') return { message: raw };
  if (kind === 'hang_up') return { hangUp: true };
  if (kind === 'is_error') return { isError: raw === 'true' };
  if (kind === 'failure') return { failure: parseFailure(raw) };
  return { answer: kind === 'result' ? { result: raw } : { error: raw } };
}

function line(kind: string, raw: string): string {
  return `{"${kind}":${oneLine(raw)}}\n`;
}

function parseFailure(raw: string): Failure {
  const { code, message, details, headers } = JSON.parse(raw) as Partial<Failure>;
  const known: FailureCode = code !== undefined && Object.hasOwn(failureKinds, code) ? code : 'internal';
  return new Failure(known, String(message), {
    ...(details === undefined ? {} : { details }),
    ...(headers === undefined ? {} : { headers }),
  });
}
