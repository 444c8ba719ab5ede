import { emptyResponse, type HeaderMap } from './responses.ts';

/**
 * Headers for browser-based agents on the gateway (contract section 3, Guard). The guard has judged the Origin
 * already; the manager never sends any of these.
 */
export function corsHeaders(origin: string): HeaderMap {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate',
    Vary: 'Origin',
  };
}

export function preflightAnswer(origin: string): Response {
  return emptyResponse(204, {
    ...corsHeaders(origin),
    'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
    'Access-Control-Allow-Headers':
      'Content-Type, Accept, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID',
    'Access-Control-Max-Age': '600',
  });
}
