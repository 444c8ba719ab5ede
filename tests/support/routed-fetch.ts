/**
 * Spreads what one client sends over several replicas, by what it is: a client's calls go to one of them, its stream to
 * another, its answers to a third.
 */
import type { RunningService } from './run-service.ts';

/** `stream` is a GET, `end` a DELETE, `answer` what the client answers to a server; else a method's name. */
export type Purpose = 'stream' | 'end' | 'answer' | (string & {});

export type RoutedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** @param choose whom to send it to. */
export function routedFetch(choose: (purpose: Purpose) => RunningService): RoutedFetch {
  return (url, init) => {
    const { pathname, search } = new URL(url);
    return fetch(new URL(`${pathname}${search}`, choose(purposeOf(init)).gatewayUrl), init);
  };
}

/** Sends each request to the next service in turn. */
export function roundRobin(services: readonly RunningService[]): RoutedFetch {
  let turn = 0;
  return routedFetch(() => {
    const service = services[turn++ % services.length];
    if (service === undefined) throw new Error('There is no service to send it to.');
    return service;
  });
}

function purposeOf({ method, body }: RequestInit = {}): Purpose {
  if (method === 'DELETE') return 'end';
  if (method !== 'POST') return 'stream';
  return (JSON.parse(String(body)) as { method?: string }).method ?? 'answer';
}
