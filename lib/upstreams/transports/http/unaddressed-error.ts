import { isObject } from '../../../json/parse-json.ts';
import { memberText } from '../../../json/raw-json.ts';
import type { ServerMessage } from '../../../json-rpc/server-messages.ts';
import { errorText } from '../../../json-rpc/write.ts';
import { unsupportedVersion } from '../../connection/handshake.ts';

export interface FailedAnswer {
  /** 400 or more. */
  readonly status: number;
  readonly requestId?: number | undefined;
  /** The server is initialized. */
  readonly isReady: boolean;
}

/**
 * Gives the errors in a failed HTTP answer the id of the request that it answers. Servers that fail before they have read a
 * request cannot know its id, and write one of their own, such as `null` or "server-error" (JSON-RPC 2.0, section 5). For
 * refused credentials, and before the handshake is done, the status says more than the error.
 */
export function withAddressedErrors(
  onMessage: (message: ServerMessage) => void,
  { status, requestId, isReady }: FailedAnswer,
): (message: ServerMessage) => void {
  if (status === 401 || status === 403 || requestId === undefined) return onMessage;
  return (message) => {
    const error = unaddressedError(message, requestId);
    const isWanted = error !== undefined && (isReady || memberText(error, 'code') === unsupportedVersion);
    onMessage(isWanted ? errorText(String(requestId), error) : message);
  };
}

/** The error in a message that has another id, raw JSON. */
function unaddressedError(message: ServerMessage, id: number): string | undefined {
  const { id: own, error, result } = typeof message === 'string' ? partsOf(message) : message;
  return result === undefined && error?.startsWith('{') && own !== String(id) ? error : undefined;
}

function partsOf(text: string) {
  const [id, error, result] = isObject(parsed(text))
    ? ['id', 'error', 'result'].map((key) => memberText(text, key))
    : [];
  return { id, error, result };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
