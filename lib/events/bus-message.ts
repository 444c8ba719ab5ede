/** News as it travels between processes: short keys, since a NOTIFY holds less than 8,000 bytes. */
import type { BusMessage } from './bus.ts';

/** All but those about this process alone: the states of its connections, and what it provisions. */
const travellingTypes = [
  'group',
  'tools',
  'restart',
  'image_offer',
  'session_closed',
  'session_changed',
  'offers',
  'resource_updated',
  'cancelled',
  'stream',
  'elicitation_complete',
  'client_request',
  'roots_changed',
  'client_answer',
] as const;
type CompactMessage = Extract<BusMessage, { type: (typeof travellingTypes)[number] }>;

const travelling: ReadonlySet<BusMessage['type']> = new Set(travellingTypes);

export function travels(busMessage: BusMessage): busMessage is CompactMessage {
  return travelling.has(busMessage.type);
}

export function encodeBusMessage(processId: string, busMessage: CompactMessage): string {
  return JSON.stringify({ p: processId, t: busMessage.type, n: busMessage.name });
}

/** Undefined for anything a process of this version would not have sent. */
export function decodeBusMessage(
  payload: string,
): { processId: string; busMessage: CompactMessage } | undefined {
  const { p, t, n } = parseObject(payload);
  const type = travellingTypes.find((known) => known === t);
  if (!type || typeof p !== 'string' || typeof n !== 'string') return undefined;
  return { processId: p, busMessage: { type, name: n } };
}

function parseObject(payload: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
