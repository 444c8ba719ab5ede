import { LRUCache } from 'lru-cache';

/**
 * Which server showed a URI to a group: links in results are read back though no server lists them (mcp-spec rule
 * 47). Bounded, and of this process alone: what was shown elsewhere or long ago is found by its list or template, or
 * not at all.
 */
export interface SeenUris {
  /** @param result Raw JSON text. Costs next to nothing when no URI is in it. */
  note(group: string, server: string, result: string): void;
  serverOf(group: string, uri: string): string | undefined;
}

const mostUris = 10_000;
const mostCharacters = 4_000_000;
const mostInOneResult = 1_000;
/** Strings of up to 2,048 characters with few escapes; in text inside of a string the quotes are escaped. */
const uriMembers = /"uri"\s*:\s*("[^"\\]{0,2048}(?:\\.[^"\\]{0,2048}){0,32}")/g;

export function createSeenUris(): SeenUris {
  const servers = new LRUCache<string, string>({ max: mostUris, maxSize: mostCharacters });
  return {
    note(group, server, result) {
      if (!result.includes('"uri"')) return;
      let left = mostInOneResult;
      for (const [, text] of result.matchAll(uriMembers)) {
        if (text === undefined || left-- === 0) return;
        const key = keyOf(group, String(JSON.parse(text)));
        servers.set(key, server, { size: key.length });
      }
    },
    serverOf: (group, uri) => servers.get(keyOf(group, uri)),
  };
}

/** Group names hold no spaces. */
function keyOf(group: string, uri: string): string {
  return `${group} ${uri}`;
}
