import { memberText } from '../../json/raw-json.ts';
import { gatewayCapability } from '../../json-rpc/gateway-path.ts';
import { latestProtocolVersion, protocolVersions } from '../../json-rpc/protocol-versions.ts';
import type { Capabilities } from '../../sessions/client-requests/client-capabilities.ts';
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

/** Who we are, told to servers. */
export interface ClientFacts {
  /** Of this program. */
  readonly version: string;
  /** By which other gateways know us; empty while it is not known. */
  readonly gatewayId: string;
}

export interface Introduction {
  readonly client: ClientFacts;
  /** What we declare, raw JSON of an object. */
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
  const answer = await multiplexer.ask('initialize', initializeParams(introduction), waitMs);
  if ('error' in answer) {
    const known = whyRefused(answer.error);
    if (known === undefined) logLines.add(`[initialize] ${wordsOf(answer.error)}`);
    throw unavailable(server, known ?? 'it refused to be initialized');
  }
  if (answer.result.length > mostCharacters) {
    throw unavailable(server, `it says more than ${mostCharacters} characters about itself`);
  }
  const result: { protocolVersion?: unknown; instructions?: unknown } | null = JSON.parse(answer.result);
  const protocolVersion = result?.protocolVersion;
  if (typeof protocolVersion !== 'string' || !versions.includes(protocolVersion)) {
    const unspoken = unspokenVersions([protocolVersion]);
    throw unavailable(server, unspoken ?? 'it speaks no version of the protocol that is known here');
  }
  multiplexer.ready(protocolVersion);
  // Waited for, because over HTTP a request sent at the same time could overtake it.
  await multiplexer.notify('notifications/initialized');
  const instructions = typeof result?.instructions === 'string' ? result.instructions : undefined;
  return { protocolVersion, capabilities: memberText(answer.result, 'capabilities') ?? '{}', instructions };
}

function initializeParams({ client, capabilities: declared }: Introduction): string {
  const clientInfo = JSON.stringify({ name: 'svc-mcp-gateway', version: client.version });
  const capabilities = `${declared.slice(0, -1)}${declared === '{}' ? '' : ','}${gatewayCapability(client.gatewayId)}}`;
  return `{"protocolVersion":"${latestProtocolVersion}","capabilities":${capabilities},"clientInfo":${clientInfo}}`;
}

/** For whoever looks after the server. @param error raw JSON. */
function wordsOf(error: string): string {
  const message = memberText(error, 'message');
  const words: unknown = message === undefined ? undefined : JSON.parse(message);
  return typeof words === 'string' && words.trim() !== '' ? words : error;
}

/** Where we know it. @param error raw JSON. What others say is not for every caller: it could be anything. */
function whyRefused(error: string): string | undefined {
  const isOurselves = memberText(memberText(error, 'data') ?? '', 'code') === '"gateway_loop"';
  return isOurselves
    ? 'it is this gateway itself, which cannot be one of its own servers'
    : unspokenVersionIn(error);
}

/**
 * What connections declare (2025-11-25 basic/lifecycle, Capability Negotiation), as raw JSON of an object. A connection that
 * sessions may share declares what any client could have, so that servers show the tools that need it, and each request
 * is judged by the client that it would go to (`lib/sessions/client-requests/client-capabilities.ts`). Roots it has none of: those of one
 * client would be taken for all, and to be told "none" would be worse than not to ask (docs/decisions/0021).
 */
const shared = { sampling: { tools: {}, context: {} }, elicitation: { form: {}, url: {} } };

export const sharedCapabilities = JSON.stringify(shared);

/** For a connection that only lists for sessions which have connections of their own: nobody is asked over it. */
export const listingCapabilities = JSON.stringify({ ...shared, roots: {} });

const known: Readonly<Record<string, readonly string[]>> = {
  sampling: ['tools', 'context'],
  elicitation: ['form', 'url'],
  roots: ['listChanged'],
};

/** What the one client declared itself, of what the revision knows and a gateway can pass on. */
export function capabilitiesOfClient(declared: Capabilities): string {
  const passedOn = Object.entries(known).flatMap(([name, members]) => {
    const given = declared[name];
    if (typeof given !== 'object' || given === null) return [];
    const entries = Object.entries(given).filter(([member]) => members.includes(member));
    return [[name, Object.fromEntries(entries)]];
  });
  return JSON.stringify(Object.fromEntries(passedOn));
}

/** Of the revision of 2026-07-28: the version of a request is not supported; `data.supported` has those that are. */
export const unsupportedVersion = '-32022';
const methodNotFound = '-32601';
const isVersion = /^\d{4}-\d{2}-\d{2}(-[a-z0-9.]{1,20})?$/;
const mostListed = 5;

const ours = `this gateway speaks ${protocolVersions[0]} to ${protocolVersions.at(-1)}`;

/** @returns what continues "the server is unavailable: …"; undefined when these are no versions that can be told. */
export function unspokenVersions(theirs: readonly unknown[]): string | undefined {
  const told = theirs.filter((version) => typeof version === 'string' && isVersion.test(version));
  if (told.length === 0) return undefined;
  return `it speaks version ${told.slice(0, mostListed).join(', ')} of MCP, and ${ours}`;
}

/**
 * Why a server that knows no `initialize` of ours refused it: one that speaks later revisions alone should name them.
 * @param error raw JSON. @returns as `unspokenVersions`; undefined when it refused for another reason.
 */
export function unspokenVersionIn(error: string): string | undefined {
  const code = memberText(error, 'code');
  if (code === methodNotFound) {
    return `it knows no \`initialize\`, so it may speak a later version of MCP, and ${ours}`;
  }
  const supported = memberText(memberText(error, 'data') ?? '', 'supported');
  if (code !== unsupportedVersion || supported === undefined) return undefined;
  const versions: unknown = JSON.parse(supported);
  return Array.isArray(versions) ? unspokenVersions(versions) : undefined;
}

/** A client that cannot be asked must not keep its own call waiting for ever. */
const mostMs = 5_000;

/**
 * Servers ask for roots as soon as they are told that the handshake is done, and until they have them go by folders of
 * their own, which may be wider than their client's. So their first call waits for that: behind the answer to a ping
 * nothing is to come any more that the notification brought about, and behind a second one they have had the roots.
 * Never rejects.
 */
export async function answerRoots(multiplexer: Pick<Multiplexer, 'ask' | 'rootsAnswered'>): Promise<void> {
  const ping = () => multiplexer.ask('ping', '{}', mostMs).catch(() => {});
  await ping();
  if (await multiplexer.rootsAnswered(mostMs)) await ping();
}
