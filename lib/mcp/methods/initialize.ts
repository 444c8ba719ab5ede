import { Failure } from '../../failure.ts';
import { isObject } from '../../json/parse-json.ts';
import type { Params } from '../../json-rpc/client-messages.ts';
import { gatewayIdIn } from '../../json-rpc/gateway-path.ts';
import { negotiateVersion } from '../../json-rpc/protocol-versions.ts';
import type { NewSession } from '../../sessions/sessions.ts';
import type { GroupFeatures } from '../views/group-features.ts';

/** The handshake (MCP basic/lifecycle, Initialization; docs/protocol.md, rules 15 to 18). */

/** Stored with every session, so a body within the size limit may still be too large. 200 is usual. */
const mostClientBytes = 4_096;

/**
 * The session to create, from the client's params.
 * @param gatewayId The id of this gateway, which recognizes itself as the client.
 * @throws Failure `invalid_params`, naming the field; `gateway_loop`.
 */
export function readInitialize(params: Params, group: string, gatewayId: string): NewSession {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') throw missing('params.protocolVersion', 'a string');
  if (!isObject(capabilities)) throw missing('params.capabilities', 'an object');
  if (!isObject(clientInfo)) throw missing('params.clientInfo', 'an object');
  if (typeof clientInfo.name !== 'string') throw missing('params.clientInfo.name', 'a string');
  if (typeof clientInfo.version !== 'string') throw missing('params.clientInfo.version', 'a string');
  if (gatewayId !== '' && gatewayIdIn(capabilities) === gatewayId) throw ownClient();
  const client = {
    clientCapabilities: capabilities,
    clientInfo: { name: clientInfo.name, version: clientInfo.version },
  };
  if (new TextEncoder().encode(JSON.stringify(client)).length > mostClientBytes) {
    throw missing('params.capabilities and params.clientInfo', `together at most ${mostClientBytes} bytes`);
  }
  return { group, protocolVersion: negotiateVersion(protocolVersion), ...client };
}

/**
 * Declares the capabilities of the servers behind the group, and `listChanged`, which is the gateway's own
 * (docs/protocol.md, rule 24).
 */
export function initializeResult(
  protocolVersion: string,
  group: string,
  version: string,
  { can, instructions }: GroupFeatures,
): string {
  return JSON.stringify({
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      ...(can.prompts ? { prompts: { listChanged: true } } : {}),
      ...(can.resources ? { resources: { subscribe: can.subscribe, listChanged: true } } : {}),
      ...(can.completions ? { completions: {} } : {}),
      ...(can.logging ? { logging: {} } : {}),
    },
    serverInfo: { name: `svc-mcp/${group}`, version },
    instructions,
  });
}

function ownClient(): Failure {
  return new Failure('gateway_loop', 'This is the gateway itself, which cannot be one of its own servers.');
}

function missing(field: string, expected: string): Failure {
  return new Failure('invalid_params', `\`${field}\` must be ${expected}.`);
}
