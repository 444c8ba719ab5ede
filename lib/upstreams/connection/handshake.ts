import { memberText } from '../../json/raw-json.ts';
import { gatewayCapability } from '../../json-rpc/gateway-path.ts';
import { protocolVersions } from '../../json-rpc/protocol-versions.ts';
import { initializeParams } from '../../json-rpc/write.ts';
import type { Multiplexer } from '../multiplexer/multiplexer.ts';
import type { LogLines } from '../transports/log-lines.ts';
import { unavailable } from '../upstream-failures.ts';
import { unspokenVersionIn, unspokenVersions } from './unspoken-version.ts';

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
  const answer = await multiplexer.ask('initialize', paramsOf(introduction), waitMs);
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

function paramsOf({ client, capabilities: declared }: Introduction): string {
  const capabilities = `${declared.slice(0, -1)}${declared === '{}' ? '' : ','}${gatewayCapability(client.gatewayId)}}`;
  return initializeParams({ name: 'svc-mcp-gateway', version: client.version }, { capabilities });
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
