/**
 * What a client declared that it can be asked for (2025-11-25 client/sampling, client/elicitation, client/roots). To
 * ask for anything else is an error of the server, and is answered without bothering the client.
 */

import { memberText } from '../../json/raw-json.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { Session } from '../sessions.ts';

/** `sampling.context` (2025-11-25 client/sampling, Capabilities). */
const firstVersionWithContext = '2025-11-25';

export type Capabilities = Readonly<Record<string, unknown>>;

export function canBeAsked({ sampling, elicitation, roots }: Capabilities): boolean {
  return sampling !== undefined || elicitation !== undefined || roots !== undefined;
}

/** The answer for the server when the client cannot be asked this. @param params raw JSON text. */
export function refusalOf(
  method: string,
  params: string,
  { clientCapabilities, protocolVersion }: Pick<Session, 'clientCapabilities' | 'protocolVersion'>,
): RawAnswer | undefined {
  const { sampling, elicitation, roots } = clientCapabilities;
  if (method === 'sampling/createMessage') return samplingRefusal(params, sampling, protocolVersion);
  if (method === 'elicitation/create') return elicitationRefusal(params, elicitation);
  return isDeclared(roots) ? undefined : unsupported('roots');
}

function samplingRefusal(params: string, sampling: unknown, protocolVersion: string): RawAnswer | undefined {
  if (!isDeclared(sampling)) return unsupported('sampling');
  const wantsTools = memberText(params, 'tools') ?? memberText(params, 'toolChoice');
  if (wantsTools !== undefined && !isDeclared(sampling.tools)) {
    return error(-32602, 'The client does not support tools in sampling.');
  }
  // Before it could be declared, every client that samples was expected to read it.
  const isContextDeclared = isDeclared(sampling.context) || protocolVersion < firstVersionWithContext;
  return wantsContext(params) && !isContextDeclared
    ? error(-32602, 'The client does not support context in sampling: `includeContext` can only be "none".')
    : undefined;
}

function wantsContext(params: string): boolean {
  const included = memberText(params, 'includeContext') ?? 'null';
  return included !== 'null' && JSON.parse(included) !== 'none';
}

/** No mode declared means forms, as before there were modes (2025-11-25 client/elicitation, Capabilities). */
function elicitationRefusal(params: string, elicitation: unknown): RawAnswer | undefined {
  if (!isDeclared(elicitation)) return unsupported('elicitation');
  const mode = memberText(params, 'mode') === '"url"' ? 'url' : 'form';
  const isAvailable = isDeclared(elicitation[mode]) || (mode === 'form' && elicitation.url === undefined);
  return isAvailable ? undefined : error(-32602, `The client does not support elicitation by ${mode}.`);
}

function isDeclared(capability: unknown): capability is Capabilities {
  return typeof capability === 'object' && capability !== null;
}

function unsupported(capability: string): RawAnswer {
  return error(-32601, `The client does not support ${capability}.`);
}

function error(code: number, message: string): RawAnswer {
  return { error: JSON.stringify({ code, message }) };
}
