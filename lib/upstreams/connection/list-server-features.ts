import { readCapabilities, type ServerFeatures, toFeatureList } from '../../catalog/features.ts';
import { type FeatureKind, featureKinds } from '../../definitions/judge-feature.ts';
import { leftOutName, whyNotShown } from '../../names/shown-names.ts';
import type { Multiplexer } from '../multiplexer/multiplexer.ts';
import type { Handshake } from './handshake.ts';
import { listPages } from './list-pages.ts';

/** Characters; longer ones are not looked up (`lib/mcp/views/group-features.ts`). */
const longestUri = 8_192;

/**
 * What a server offers besides tools. It is asked only for what it said it has; a list that it refuses all the same
 * is empty, as with servers that have resources and no templates.
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
    // Prompts can be given other names; for such a URI clients drop the whole list.
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
