/**
 * A connection to an MCP server without the gateway: the SDK's transports carry raw messages, so nothing is
 * parsed away. It declares what the gateway declares, and answers what a server asks as the gateway does.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { sharedCapabilities } from '../../lib/upstreams/connection/handshake.ts';

/** `result` or `error` of an answer, as it came. */
// biome-ignore lint/suspicious/noExplicitAny: tests compare answers of any shape
export type Outcome = { readonly result: any } | { readonly error: any };

export interface DirectConnection {
  request(method: string, params?: object): Promise<Outcome>;
  close(): Promise<void>;
}

export async function connectDirectly(transport: Transport): Promise<DirectConnection> {
  const waiting = new Map<unknown, (outcome: Outcome) => void>();
  let lastId = 0;
  transport.onmessage = (message) => {
    if ('method' in message) {
      if ('id' in message) void transport.send(answerTo(message.method, message.id));
    } else {
      waiting.get(message.id)?.('result' in message ? { result: message.result } : { error: message.error });
    }
  };
  const request = async (method: string, params: object = {}) => {
    const id = ++lastId;
    const outcome = new Promise<Outcome>((resolve) => waiting.set(id, resolve));
    await transport.send({ jsonrpc: '2.0', id, method, params } as JSONRPCMessage);
    return outcome;
  };

  await transport.start();
  const initialized = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: JSON.parse(sharedCapabilities),
    clientInfo: { name: 'direct', version: '1' },
  });
  if ('error' in initialized) throw new Error(`The server refused: ${JSON.stringify(initialized.error)}`);
  transport.setProtocolVersion?.(initialized.result.protocolVersion);
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { request, close: () => transport.close() };
}

function answerTo(method: string, id: string | number): JSONRPCMessage {
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}
