import { createHttpEndpoint, type HttpEndpoint } from '../transports/http/node-http-endpoint.ts';
import { relayPath } from './relay-lines.ts';
import type { RelayOwner, SendCall } from './remote-upstreams.ts';

/**
 * Posts relayed calls with our own HTTP client, over connections that are kept (docs/decisions/0010): `fetch` takes
 * several times the processor time of a call.
 */
export interface CallSender {
  readonly send: SendCall;
  /** Closes every connection. */
  close(): void;
}

interface Receiver {
  readonly endpoint: HttpEndpoint;
  readonly head: string;
}

/** Processes that began anew have another token. Calls under way to older ones end in time. */
const mostReceivers = 8;

export function createCallSender(): CallSender {
  /** The one used last at the end. */
  const receivers = new Map<string, Receiver>();

  function receiverOf(owner: RelayOwner): Receiver {
    const key = `${owner.url} ${owner.token}`;
    const receiver = receivers.get(key) ?? createReceiver(owner);
    receivers.delete(key);
    receivers.set(key, receiver);
    for (const [oldest, { endpoint }] of receivers) {
      if (receivers.size <= mostReceivers) break;
      receivers.delete(oldest);
      endpoint.close();
    }
    return receiver;
  }

  return {
    send(owner, body, reader) {
      const { endpoint, head } = receiverOf(owner);
      return endpoint.send(head, body, reader);
    },
    close() {
      for (const { endpoint } of receivers.values()) endpoint.close();
    },
  };
}

function createReceiver({ url, token }: RelayOwner): Receiver {
  const endpoint = createHttpEndpoint({ url: url + relayPath, headers: {}, bearerToken: token });
  return { endpoint, head: endpoint.prepare('POST', { 'content-type': 'application/json' }) };
}
