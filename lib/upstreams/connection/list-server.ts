import type { ListedTool, ToolListing } from '../../catalog/catalog.ts';
import { readCapabilities, type ServerFeatures, toFeatureList } from '../../catalog/features.ts';
import { withProblems } from '../../catalog/tool-judge.ts';
import { type FeatureKind, featureKinds } from '../../definitions/judge-feature.ts';
import { elementsOf, memberText, type Span } from '../../json/raw-json.ts';
import { pathOf } from '../../json-rpc/gateway-path.ts';
import { leftOutName, leftOutNameless, whyNotShown } from '../../names/shown-names.ts';
import type { Multiplexer } from '../multiplexer/multiplexer.ts';
import { unavailable } from '../upstream-failures.ts';
import type { Handshake } from './handshake.ts';

interface PagesOptions {
  readonly server: string;
  readonly method: string;
  /** The member of the result that is the list; also its name in failures. */
  readonly member: string;
  /** How long one page may take, ms. */
  readonly waitMs: number;
}

const mostPages = 200;
const mostElements = 10_000;
/** Of all pages together: a million tokens of a model, and 30 ms of parsing. */
const mostCharacters = 4_194_304;

/**
 * A list of a server over all its pages (docs/protocol.md, rule 33), each element as raw text, exactly as listed.
 * Bounded, because a server may page for ever.
 * @returns undefined when the server refused. @throws Failure `upstream_unavailable`, and as `ask` does.
 */
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
  /** The positions of the elements in `list`. */
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

export interface ListingOptions extends Pick<PagesOptions, 'server' | 'waitMs'> {
  /** This gateway's own; empty while it is not known. */
  readonly gatewayId: string;
}

/**
 * All tools of a server, each definition as raw text, exactly as listed. Tools that cannot be addressed (no name, the name
 * of an earlier tool, or one too long for the database) are left out and reported as problems. Tools whose names cannot be
 * shown to agents stay in, since a group can give them others.
 */
export async function listServerTools(
  multiplexer: Pick<Multiplexer, 'ask'>,
  options: ListingOptions,
): Promise<ToolListing> {
  const { server, waitMs, gatewayId } = options;
  const definitions = await listPages(multiplexer, { server, waitMs, method: 'tools/list', member: 'tools' });
  if (definitions === undefined) throw unavailable(server, 'it refused to list its tools');
  if (gatewayId !== '' && definitions.some((definition) => pathOf(definition).includes(gatewayId))) {
    throw unavailable(server, 'it leads back to this gateway, whose own tools are among those that it lists');
  }
  return toTools(definitions);
}

/** Characters. The database has an index on names, which takes no longer ones. */
const longestName = 512;

function toTools(definitions: readonly string[]): ToolListing {
  const tools = new Map<string, ListedTool>();
  const problems: string[] = [];
  const leaveOut = (name: string, why: string) => void problems.push(leftOutName('tool', name, why));
  let nameless = 0;
  for (const definition of definitions) {
    const name: unknown = JSON.parse(memberText(definition, 'name') ?? 'null');
    if (typeof name !== 'string' || name === '') nameless++;
    else if (name.length > longestName) leaveOut(name, `is longer than ${longestName} characters`);
    else if (tools.has(name)) leaveOut(name, 'is that of an earlier one');
    else tools.set(name, { name, definition });
  }
  if (nameless > 0) problems.unshift(leftOutNameless('tool', 'name', nameless));
  return withProblems([...tools.values()], problems);
}

/** Characters; longer ones are not looked up (`lib/mcp/views/group-features.ts`). */
const longestUri = 8_192;

/**
 * Prompts, resources and resource templates of a server, as far as it declares them. A list that the server refuses all
 * the same is empty: servers may have resources and no templates.
 */
export async function listServerFeatures(
  multiplexer: Pick<Multiplexer, 'ask'>,
  server: string,
  { capabilities, instructions }: Pick<Handshake, 'capabilities' | 'instructions'>,
  waitMs: number,
): Promise<ServerFeatures> {
  const has = readCapabilities(capabilities);
  const problems: string[] = [];
  async function list(isAvailable: boolean, method: string, member: string, kind: FeatureKind) {
    if (!isAvailable) return [];
    const definitions = await listPages(multiplexer, { server, method, member, waitMs });
    const features = toFeatureList(definitions ?? [], kind, problems);
    // Prompts can be given other names; one URI that cannot be read makes clients drop the whole list.
    return kind === 'prompts' ? features : features.filter(({ key }) => isReadableUri(key, kind, problems));
  }
  const prompts = await list(has.prompts, 'prompts/list', 'prompts', 'prompts');
  const resources = await list(has.resources, 'resources/list', 'resources', 'resources');
  const templates = await list(has.resources, 'resources/templates/list', 'resourceTemplates', 'templates');
  const lists = { capabilities, instructions, prompts, resources, templates };
  return problems.length > 0 ? { ...lists, problems } : lists;
}

function isReadableUri(uri: string, kind: FeatureKind, problems: string[]): boolean {
  const why = whyNotShown(uri, longestUri);
  const { name, key } = featureKinds[kind];
  if (why !== undefined) problems.push(leftOutName(name, uri, why, key));
  return why === undefined;
}
