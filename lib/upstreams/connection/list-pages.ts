import { elementsOf, memberText, type Span } from '../../json/raw-json.ts';
import type { Multiplexer } from '../multiplexer/multiplexer.ts';
import { unavailable } from '../upstream-failures.ts';

/**
 * A list of a server over all its pages (mcp-spec rule 33), each element as raw text, exactly as listed. Bounded,
 * because a server that pages for ever must not take the gateway with it.
 */
export interface PagesOptions {
  readonly server: string;
  readonly method: string;
  /** The member of the result that is the list; also what its failures call it. */
  readonly member: string;
  /** How long one page may take, ms. */
  readonly waitMs: number;
}

const mostPages = 200;
const mostElements = 10_000;
/** Of all pages together: a million tokens of a model, and what costs 30 ms to take apart. */
const mostCharacters = 4_194_304;

/** Undefined: the server refused. @throws Failure `upstream_unavailable`, and as `ask` does. */
export async function listPages(
  multiplexer: Pick<Multiplexer, 'ask'>,
  options: PagesOptions,
): Promise<readonly string[] | undefined> {
  const { server, member } = options;
  const elements: string[] = [];
  let charactersLeft = mostCharacters;
  const cursors = new Set<string>();
  let params = '{}';
  for (;;) {
    const page = await readPage(multiplexer, params, options, charactersLeft);
    if (page === undefined) return undefined;
    const { list, spans } = page;
    if (elements.length + spans.length > mostElements)
      throw unavailable(server, `it lists more than ${mostElements} ${member}`);
    for (const { start, end } of spans) elements.push(list.slice(start, end));
    charactersLeft -= page.characters;
    if (page.nextCursor === undefined) return elements;
    if (cursors.has(page.nextCursor)) throw unavailable(server, `its list of ${member} repeats a cursor`);
    cursors.add(page.nextCursor);
    if (cursors.size >= mostPages)
      throw unavailable(server, `its list of ${member} has over ${mostPages} pages`);
    params = JSON.stringify({ cursor: page.nextCursor });
  }
}

interface Page {
  readonly list: string;
  /** Where its elements stand. */
  readonly spans: readonly Span[];
  /** Of the whole answer. */
  readonly characters: number;
  readonly nextCursor: string | undefined;
}

async function readPage(
  multiplexer: Pick<Multiplexer, 'ask'>,
  params: string,
  { server, method, member, waitMs }: PagesOptions,
  mostCharactersNow: number,
): Promise<Page | undefined> {
  const answer = await multiplexer.ask(method, params, waitMs);
  if ('error' in answer) return undefined;
  const characters = answer.result.length;
  if (characters > mostCharactersNow)
    throw unavailable(server, `its list of ${member} is longer than ${mostCharacters} characters`);
  const list = memberText(answer.result, member);
  if (!list?.startsWith('[')) throw unavailable(server, `its list of ${member} is not a list`);
  const cursor: unknown = JSON.parse(memberText(answer.result, 'nextCursor') ?? 'null');
  return {
    list,
    spans: elementsOf(list),
    characters,
    nextCursor: typeof cursor === 'string' ? cursor : undefined,
  };
}
