import { memberText } from '../../json/raw-json.ts';
import { gatewayCapability } from '../../json-rpc/gateway-path.ts';
import { protocolVersions } from '../../json-rpc/protocol-versions.ts';
import { initializeParams } from '../../json-rpc/write.ts';
import type { Capabilities } from '../../sessions/client-requests/client-requests.ts';
import type { Multiplexer } from '../multiplexer/multiplexer.ts';
import type { LogLines } from '../transports/log-lines.ts';
import { unavailable } from '../upstream-failures.ts';

/**
 * The opening exchange (revision 2025-11-25, basic/lifecycle): `initialize`, the server's choice of version,
 * `notifications/initialized`. By hand, because what the SDK's client keeps of the answer is less than we need.
 */
export interface Handshake {
  readonly protocolVersion: string;
  /** Raw JSON text of an object. */
  readonly capabilities: string;
  readonly instructions: string | undefined;
}

/** This gateway, as servers see it. */
export interface ClientFacts {
  /** Of this program. */
  readonly version: string;
  /** By which other gateways know this one; empty while it is not known. */
  readonly gatewayId: string;
}

export interface Introduction {
  readonly client: ClientFacts;
  /** Declared capabilities, raw JSON of an object. */
  readonly capabilities: string;
}

const mostCharacters = 1_048_576;
const versions: readonly unknown[] = protocolVersions;

export async function shakeHands(
  multiplexer: Multiplexer,
  server: string,
  introduction: Introduction,
  waitMs: number,
  logLines: Pick<LogLines, 'add'>,
): Promise<Handshake> {
  const answer = await multiplexer.ask('initialize', paramsOf(introduction), waitMs);
  if ('error' in answer) {
    const known = whyRefused(answer.error);
    if (known === undefined) logLines.add(`[initialize] ${messageOf(answer.error)}`);
    throw unavailable(server, known ?? 'it refused to be initialized');
  }
  if (answer.result.length > mostCharacters) {
    throw unavailable(server, `it says more than ${mostCharacters} characters about itself`);
  }
  const result: { protocolVersion?: unknown; instructions?: unknown } | null = JSON.parse(answer.result);
  const protocolVersion = result?.protocolVersion;
  if (typeof protocolVersion !== 'string' || !versions.includes(protocolVersion)) {
    const reason = otherVersions([protocolVersion]);
    throw unavailable(server, reason ?? 'it speaks no version of the protocol that is known here');
  }
  multiplexer.ready(protocolVersion);
  // Waited for, because over HTTP a request sent at the same time could overtake it.
  await multiplexer.notify('notifications/initialized');
  const instructions = typeof result?.instructions === 'string' ? result.instructions : undefined;
  return { protocolVersion, capabilities: memberText(answer.result, 'capabilities') ?? '{}', instructions };
}

function paramsOf({ client, capabilities: declared }: Introduction): string {
  const capabilities = `${declared.slice(0, -1)}${declared === '{}' ? '' : ','}${gatewayCapability(client.gatewayId)}}`;
  return initializeParams({ name: 'svc-mcp-gateway', version: client.version }, { capabilities });
}

/** For the server's log, which only administrators read. @param error raw JSON. */
function messageOf(error: string): string {
  const message = memberText(error, 'message');
  const text: unknown = message === undefined ? undefined : JSON.parse(message);
  return typeof text === 'string' && text.trim() !== '' ? text : error;
}

/** Undefined for other errors: their texts could hold anything and are not shown to callers. @param error raw JSON. */
function whyRefused(error: string): string | undefined {
  const isOurselves = memberText(memberText(error, 'data') ?? '', 'code') === '"gateway_loop"';
  return isOurselves
    ? 'it is this gateway itself, which cannot be one of its own servers'
    : versionsIn(error);
}

/** Error code of the revision of 2026-07-28 for a version that the server does not support; `data.supported` lists those. */
export const unsupportedVersion = '-32022';
const methodNotFound = '-32601';
const isVersion = /^\d{4}-\d{2}-\d{2}(-[a-z0-9.]{1,20})?$/;
const mostListed = 5;

const ours = `this gateway speaks ${protocolVersions[0]} to ${protocolVersions.at(-1)}`;

/** @returns what continues "the server is unavailable: …"; undefined when none of them is written like a version. */
function otherVersions(theirs: readonly unknown[]): string | undefined {
  const listed = theirs.filter((version) => typeof version === 'string' && isVersion.test(version));
  if (listed.length === 0) return undefined;
  return `it speaks version ${listed.slice(0, mostListed).join(', ')} of MCP, and ${ours}`;
}

/**
 * Servers that speak later revisions alone should name these in their error.
 * @param error raw JSON. @returns as `otherVersions`; undefined when `initialize` was refused for another reason.
 */
function versionsIn(error: string): string | undefined {
  const code = memberText(error, 'code');
  if (code === methodNotFound) {
    return `it knows no \`initialize\`, so it may speak a later version of MCP, and ${ours}`;
  }
  const supported = memberText(memberText(error, 'data') ?? '', 'supported');
  if (code !== unsupportedVersion || supported === undefined) return undefined;
  const list: unknown = JSON.parse(supported);
  return Array.isArray(list) ? otherVersions(list) : undefined;
}

/**
 * The capabilities that connections declare (2025-11-25 basic/lifecycle, Capability Negotiation), as raw JSON of an object.
 * A shared connection declares all that any client could have, so that servers show the tools that need it; each request
 * of a server is then judged by the client that it would go to (`lib/sessions/client-requests/client-requests.ts`).
 * It declares no roots: those of one client would be taken for all, and an empty list is worse than none
 * (docs/decisions/0021).
 */
const shared = { sampling: { tools: {}, context: {} }, elicitation: { form: {}, url: {} } };

export const sharedCapabilities = JSON.stringify(shared);

/** For a connection that only lists, on behalf of sessions with connections of their own: no client is asked over it. */
export const listingCapabilities = JSON.stringify({ ...shared, roots: {} });

const passedOn: Readonly<Record<string, readonly string[]>> = {
  sampling: ['tools', 'context'],
  elicitation: ['form', 'url'],
  roots: ['listChanged'],
};

/** The capabilities of the one client, as far as the revision knows them and a gateway can pass them on. */
export function capabilitiesOfClient(declared: Capabilities): string {
  const capabilities = Object.entries(passedOn).flatMap(([name, members]) => {
    const given = declared[name];
    if (typeof given !== 'object' || given === null) return [];
    const entries = Object.entries(given).filter(([member]) => members.includes(member));
    return [[name, Object.fromEntries(entries)]];
  });
  return JSON.stringify(Object.fromEntries(capabilities));
}

/** A client that cannot be asked must not keep its own call waiting for ever. */
const rootsWaitMs = 5_000;

/**
 * Waits until the server has the roots that it asks for. Servers ask as soon as the handshake is done, and until then use
 * folders of their own, which may be wider than the client's; so the first call waits. The answer to a first ping comes
 * after every request that `notifications/initialized` caused, and the answer to a second one after the server has
 * received the roots. Never rejects.
 */
export async function answerRoots(multiplexer: Pick<Multiplexer, 'ask' | 'rootsAnswered'>): Promise<void> {
  const ping = () => multiplexer.ask('ping', '{}', rootsWaitMs).catch(() => {});
  await ping();
  if (await multiplexer.rootsAnswered(rootsWaitMs)) await ping();
}
