import type { ServerAnswer } from './messages.ts';

/**
 * What we answer when a server asks something of us (mcp-spec rules 32 and 49). The one place for it: sampling,
 * elicitation and roots inside a call belong to the session whose call it is, and are refused until they are
 * relayed there. Roots outside of any call are ours to answer, and we have none.
 */
export function answerServerRequest(method: string, callsInFlight: number): ServerAnswer {
  if (method === 'ping') return { result: '{}' };
  if (method === 'roots/list' && callsInFlight === 0) return { result: '{"roots":[]}' };
  return { error: '{"code":-32601,"message":"Method not found"}' };
}

/** What every connection declares, so that servers show the tools that need it. */
export const declaredCapabilities =
  '{"sampling":{},"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}';
