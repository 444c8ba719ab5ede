import { Failure } from '../failure.ts';
import { isObject } from '../json/parse-json.ts';
import { elementsOf } from '../json/raw-json.ts';
import { type Message, readableId, toMessage } from '../json-rpc/client-messages.ts';
import { batchingVersion } from '../json-rpc/protocol-versions.ts';
import { failureText } from '../json-rpc/write.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Answer } from './content-negotiation.ts';
import { accept, type DispatchDependencies, dispatch, failedAnswer } from './dispatch.ts';
import type { Scope } from './methods/scope.ts';

/** Arrays of messages: a rule of revision 2025-03-26 alone (basic, Batching; docs/protocol.md, rules 2 to 5). */
export const maxBatch = 100;

/** @throws Failure `invalid_request` for a batch that no session may send: empty, too long, or with `initialize`. */
export function assertBatch(items: readonly unknown[]): void {
  if (items.length === 0) throw new Failure('invalid_request', 'An empty batch is not a valid request.');
  if (items.length > maxBatch) {
    throw new Failure('invalid_request', `A batch has at most ${maxBatch} messages.`);
  }
  if (items.some(isInitialize)) {
    throw new Failure('invalid_request', '`initialize` must not be part of a batch.');
  }
}

export function assertMayBatch(session: Session): void {
  if (session.protocolVersion !== batchingVersion) {
    throw new Failure(
      'invalid_request',
      `Revision ${session.protocolVersion} has no batches; send one message.`,
    );
  }
}

/**
 * One answer per request, in order; an item that is no message, or cannot be accepted, gets a separate error.
 * @param items the parsed body. @param text the body, of which each message retains its own part.
 */
export async function answerBatch(
  items: readonly unknown[],
  text: string,
  scope: Scope,
  dependencies: DispatchDependencies,
): Promise<Answer> {
  const spans = elementsOf(text);
  const settled = await Promise.allSettled(
    items.map((item, at) =>
      answerItem(item, text.slice(spans[at]?.start, spans[at]?.end), scope, dependencies),
    ),
  );
  const isAnswered = settled.some((one) => one.status === 'fulfilled' && one.value !== undefined);
  const texts = settled.flatMap((one) => {
    if (one.status === 'fulfilled') return one.value ?? [];
    // A client's answer that could not be accepted: alone it is refused by status, in a batch it gets an error.
    if (!isAnswered) throw one.reason;
    return failedAnswer('null', one.reason, dependencies).text ?? [];
  });
  return { text: texts.length === 0 ? undefined : `[${texts.join(',')}]`, status: 200 };
}

/** The ids of the requests in a batch, as raw JSON. */
export function idsOfRequests(items: readonly unknown[], text: string): string[] {
  const spans = elementsOf(text);
  return items.flatMap((item, at) => {
    const isRequest = isObject(item) && typeof item.method === 'string' && item.id !== undefined;
    return isRequest ? readableId(item, text.slice(spans[at]?.start, spans[at]?.end)) : [];
  });
}

async function answerItem(
  item: unknown,
  text: string,
  scope: Scope,
  dependencies: DispatchDependencies,
): Promise<string | undefined> {
  let message: Message;
  try {
    message = toMessage(item, text);
  } catch (error) {
    if (error instanceof Failure) return failureText(readableId(item, text), error);
    throw error;
  }
  if (message.kind === 'request') return (await dispatch(message, scope, dependencies)).text;
  await accept(message, scope, dependencies);
  return undefined;
}

function isInitialize(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'method' in item && item.method === 'initialize';
}
