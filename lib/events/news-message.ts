/** News as it travels between processes: short keys, since a NOTIFY holds less than 8,000 bytes. */
import type { News } from './bus.ts';

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
type TravellingNews = Extract<News, { type: (typeof travellingTypes)[number] }>;

const travelling: ReadonlySet<News['type']> = new Set(travellingTypes);

export function travels(news: News): news is TravellingNews {
  return travelling.has(news.type);
}

export function encodeNews(processId: string, news: TravellingNews): string {
  return JSON.stringify({ p: processId, t: news.type, n: news.name });
}

/** Undefined for anything a process of this version would not have sent. */
export function decodeNews(payload: string): { processId: string; news: TravellingNews } | undefined {
  const { p, t, n } = parseObject(payload);
  const type = travellingTypes.find((known) => known === t);
  if (!type || typeof p !== 'string' || typeof n !== 'string') return undefined;
  return { processId: p, news: { type, name: n } };
}

function parseObject(payload: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
