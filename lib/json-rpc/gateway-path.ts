import { isObject } from '../json/parse-json.ts';
import { membersOf, memberText, replaceMembers } from '../json/raw-json.ts';

/**
 * Gateways that serve each other's tools could form a ring, where each listing would make the next one longer. So a
 * gateway sends its id when it connects (an experimental capability, which other servers ignore), and a tool that is
 * passed on to a gateway carries the ids of the gateways it came through (in its `_meta`). A tool that comes back reveals
 * a ring, however many gateways are in it and in whatever order they were connected.
 */

const capability = 'svc-mcp.gateway';
const pathKey = 'svc-mcp.gateways';

/** The member of the client capabilities that holds the id, as raw JSON. */
export function gatewayCapability(id: string): string {
  return `"experimental":${JSON.stringify({ [capability]: { id } })}`;
}

/** The id of the gateway that a client is; undefined for any other client. */
export function gatewayIdIn(clientCapabilities: Readonly<Record<string, unknown>>): string | undefined {
  const id = memberOf(memberOf(clientCapabilities.experimental, capability), 'id');
  return typeof id === 'string' ? id : undefined;
}

/** The ids of the gateways that a tool came through, as its definition (raw JSON) says. */
export function pathOf(definition: string): string[] {
  // Hardly any tool came from a gateway.
  const meta = definition.includes(pathKey) ? memberText(definition, '_meta') : undefined;
  if (meta === undefined) return [];
  const path = memberOf(JSON.parse(meta), pathKey);
  return Array.isArray(path) ? path.filter((id) => typeof id === 'string') : [];
}

/** The definition (raw JSON) as this gateway passes it on to another. */
export function passedOn(definition: string, id: string): string {
  const path = JSON.stringify([...pathOf(definition), id]);
  const meta = memberText(definition, '_meta');
  if (meta === undefined) return withMember(definition, '_meta', `{"${pathKey}":${path}}`);
  const isKnown = membersOf(meta).some(({ key }) => key === pathKey);
  const changed = isKnown ? replaceMembers(meta, 0, { [pathKey]: path }) : withMember(meta, pathKey, path);
  return replaceMembers(definition, 0, { _meta: changed });
}

/** A value that is not an object is replaced by one. */
function withMember(text: string, key: string, value: string): string {
  const open = text.indexOf('{');
  if (text.trimStart()[0] !== '{') return `{"${key}":${value}}`;
  const rest = membersOf(text).length > 0 ? `,${text.slice(open + 1)}` : text.slice(open + 1);
  return `{"${key}":${value}${rest}`;
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}
