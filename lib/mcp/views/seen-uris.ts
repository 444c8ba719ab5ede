import { LRUCache } from 'lru-cache';
import { yieldToEventLoop } from '../../async/wait.ts';

/**
 * Which server showed a URI to a group: clients read links in results although no server lists them
 * (docs/protocol.md, rule 47). Bounded, and local to this process: a URI that was shown elsewhere or long ago is found
 * by its list or template, or not at all.
 */
export interface SeenUris {
  /**
   * @param result Raw JSON text. Costs next to nothing without a URI; all but the beginning of a long one is searched in
   * later turns, which are over before a client has read as far.
   */
  record(group: string, server: string, result: string): void;
  serverOf(group: string, uri: string): string | undefined;
}

const mostUris = 10_000;
const mostCharacters = 4_000_000;
const mostInOneResult = 1_000;
/** A member with a URI that lies across the border of two parts is found in the second. */
const charactersPerStep = 262_144;
const overlap = 4_096;
/** Strings of up to 2,048 characters with few escapes; in text inside of a string the quotes are escaped. */
const uriMembers = /"uri"\s*:\s*("[^"\\]{0,2048}(?:\\.[^"\\]{0,2048}){0,32}")/g;

export function createSeenUris(): SeenUris {
  const servers = new LRUCache<string, string>({ max: mostUris, maxSize: mostCharacters });

  /** @returns how many more URIs may be recorded. */
  function recordPart(text: string, group: string, server: string, most: number): number {
    if (!text.includes('"uri"')) return most;
    let left = most;
    for (const [, uri] of text.matchAll(uriMembers)) {
      if (uri === undefined || left === 0) return 0;
      left--;
      const key = keyOf(group, String(JSON.parse(uri)));
      servers.set(key, server, { size: key.length });
    }
    return left;
  }

  async function recordRest(group: string, server: string, result: string, most: number): Promise<void> {
    let left = most;
    for (let at = charactersPerStep; at < result.length && left > 0; at += charactersPerStep) {
      await yieldToEventLoop();
      left = recordPart(result.slice(at - overlap, at + charactersPerStep), group, server, left);
    }
  }

  return {
    record(group, server, result) {
      if (result.length <= charactersPerStep) recordPart(result, group, server, mostInOneResult);
      else {
        const left = recordPart(result.slice(0, charactersPerStep), group, server, mostInOneResult);
        void recordRest(group, server, result, left);
      }
    },
    serverOf: (group, uri) => servers.get(keyOf(group, uri)),
  };
}

/** Group names hold no spaces. */
function keyOf(group: string, uri: string): string {
  return `${group} ${uri}`;
}
