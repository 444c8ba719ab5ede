import { LRUCache } from 'lru-cache';
import { withTimeout, yieldToEventLoop } from '../../async/wait.ts';
import {
  nameInGroup,
  type ResourceRouting,
  type SharedSeenUris,
} from '../../sessions/seen-uris/shared-seen-uris.ts';

/**
 * Which server showed a URI to a group: clients read links in results although no server lists them
 * (docs/protocol.md, rule 47). Bounded: a URI that was shown long ago is found by its list or template, or not at all.
 */
export interface SeenUris {
  /**
   * @param result Raw JSON text. Costs next to nothing without a URI; all but the beginning of a long one is searched in
   * later turns.
   * @returns what the answer has to wait for, so that the URIs are known to every process when the client has it;
   * undefined: nothing. Never rejects.
   */
  record(group: string, server: string, result: string, features: ResourceRouting): Promise<void> | undefined;
  /**
   * The last that showed it.
   * @throws Failure `database_unavailable` when only another process can know.
   */
  serverOf(group: string, uri: string): Promise<string | undefined>;
}

const mostUris = 10_000;
const mostCharacters = 4_000_000;
const mostInOneResult = 1_000;
/** The longest that an answer waits, and a read whose server this process knows. */
const longestWaitMs = 250;
/** A member with a URI that lies across the border of two parts is found in the second. */
const charactersPerStep = 262_144;
const overlap = 4_096;
/** Parts without a URI are searched in a third of a millisecond each. */
const plainStepsPerTurn = 8;
const uriMember = '"uri"';
/** Strings of up to 2,048 characters with few escapes; in text inside of a string the quotes are escaped. */
const uriMembers = /"uri"\s*:\s*("[^"\\]{0,2048}(?:\\.[^"\\]{0,2048}){0,32}")/g;
const none: readonly string[] = [];

/** @param shared With the other processes; undefined: there is none. */
export function createSeenUris(shared?: SharedSeenUris): SeenUris {
  const servers = new LRUCache<string, string>({ max: mostUris, maxSize: mostCharacters });

  /** @returns the URIs. */
  function recordPart(text: string, group: string, server: string, most: number): readonly string[] {
    if (!text.includes(uriMember)) return none;
    const uris: string[] = [];
    for (const [, quoted] of text.matchAll(uriMembers)) {
      if (quoted === undefined || uris.length === most) break;
      const uri = String(JSON.parse(quoted));
      const name = nameInGroup(group, uri);
      servers.set(name, server, { size: name.length });
      uris.push(uri);
    }
    return uris;
  }

  async function recordRest(
    group: string,
    server: string,
    result: string,
    most: number,
  ): Promise<readonly string[]> {
    const uris: string[] = [];
    let plainSteps = 0;
    for (let at = charactersPerStep; at < result.length && uris.length < most; at += charactersPerStep) {
      if (plainSteps % plainStepsPerTurn === 0) await yieldToEventLoop();
      const part = result.slice(at - overlap, at + charactersPerStep);
      plainSteps = part.includes(uriMember) ? 0 : plainSteps + 1;
      uris.push(...recordPart(part, group, server, most - uris.length));
    }
    return uris;
  }

  return {
    record(group, server, result, features) {
      const isLong = result.length > charactersPerStep;
      const beginning = isLong ? result.slice(0, charactersPerStep) : result;
      const uris = recordPart(beginning, group, server, mostInOneResult);
      if (uris.length === 0 && !isLong) return undefined;
      const stored = isLong
        ? recordRest(group, server, result, mostInOneResult - uris.length).then((more) =>
            shared?.store(group, server, [...uris, ...more], features),
          )
        : shared?.store(group, server, uris, features);
      return shared && stored && withTimeout(stored, longestWaitMs, () => {});
    },
    async serverOf(group, uri) {
      const here = servers.get(nameInGroup(group, uri));
      const stored = shared?.serverOf(group, uri);
      if (here === undefined) return await stored;
      const known = stored?.catch(() => undefined);
      return (known && (await withTimeout(known, longestWaitMs, () => undefined))) ?? here;
    },
  };
}
