import { type FeatureCatalog, readCapabilities, type ServerCapabilities } from '../../catalog/features.ts';
import type { Group } from '../../groups/groups.ts';
import {
  type FormerServers,
  type KnownServers,
  ofServer,
  type VisibleFeature,
  type VisibleFeatures,
  visibleFeatures,
} from '../../groups/visible/visible-features.ts';
import { replaceMembers } from '../../json/raw-json.ts';
import { compileUriTemplate, literalLength } from './uri-template.ts';

/**
 * A group's features besides tools: finished lists, and look-ups from the name that a client uses to the server's own.
 * Built once per change, with the rest of a group's view.
 */
export interface GroupFeatures {
  /** The servers with features in this group, as far as they were ever reached. */
  readonly servers: readonly string[];
  /** Capabilities of any server behind the group (docs/protocol.md, rule 24). */
  readonly can: ServerCapabilities;
  /** The servers' instructions, each under its name. */
  readonly instructions: string | undefined;
  /** Whole results as JSON text. */
  readonly promptsResult: string;
  readonly resourcesResult: string;
  readonly templatesResult: string;
  prompt(visibleName: string): OwnThing | undefined;
  /** By exact URI, else by the template with the most literal text, so that no `{+any}` hides a narrower template. */
  resource(uri: string): OwnThing | undefined;
  /** Whether `resource` finds it, told at little cost: of a long URI, or with many templates, only from the list. */
  isListed(uri: string): boolean;
  /** By the template's text. */
  template(text: string): OwnThing | undefined;
  /** Servers that may be asked for unlisted resources; none when the group's file names the resources it shows. */
  readonly resourceServers: readonly string[];
  /** The URI of a server's resource for clients of this group. */
  visibleUri(server: string, uri: string): string;
  capabilitiesOf(server: string): ServerCapabilities;
}

/** A prompt, resource or template by the server's own name or URI. */
export interface OwnThing {
  readonly server: string;
  readonly key: string;
}

/** Matching a template costs time for every character. */
const longestUri = 8_192;
/** For `isListed`, which is asked for every URI that a result shows. */
const cheap = { longestUri: 512, mostTemplates: 50 };
/** The limit for one server; a model reads the instructions of all servers. */
const longestInstructions = 16_384;

export function buildGroupFeatures(
  group: Group,
  catalog: KnownServers,
  features: Pick<FeatureCatalog, 'of'>,
  former?: FormerServers,
): GroupFeatures {
  const visible = visibleFeatures(group, catalog, features, former);
  const capabilities = new Map(
    Array.from(visible.servers, ([name, server]) => [name, readCapabilities(server.capabilities)]),
  );
  const prompts = byVisibleKey(visible.prompts);
  const resources = byVisibleKey(visible.resources);
  const templates = byVisibleKey(visible.templates);
  const renamed = new Map(
    visible.resources
      .filter(({ visibleKey, feature }) => visibleKey !== feature.key)
      .map(({ server, feature, visibleKey }) => [ofServer(server, feature.key), visibleKey]),
  );
  const matchers = mostSpecificFirst(visible.templates).map(toMatcher);
  const has = (what: keyof ServerCapabilities) => [...capabilities.values()].some((one) => one[what]);

  return {
    servers: [...visible.servers.keys()],
    can: {
      tools: true,
      prompts: has('prompts') && !isEmptyList(group.includedPrompts),
      resources: has('resources') && !isEmptyList(group.includedResources),
      subscribe: has('subscribe') && !isEmptyList(group.includedResources),
      completions: has('completions'),
      logging: has('logging'),
    },
    instructions: instructionsOf(visible),
    promptsResult: listResult('prompts', visible.prompts, 'name'),
    resourcesResult: listResult('resources', visible.resources, 'uri'),
    templatesResult: listResult('resourceTemplates', visible.templates, 'uriTemplate'),
    prompt: (visibleName) => prompts.get(visibleName),
    resource(uri) {
      const listed = resources.get(uri);
      if (listed || uri.length > longestUri) return listed;
      for (const match of matchers) {
        const own = match(uri);
        if (own) return own;
      }
      return undefined;
    },
    isListed(uri) {
      if (resources.has(uri)) return true;
      const isCheap = uri.length <= cheap.longestUri && matchers.length <= cheap.mostTemplates;
      return isCheap && matchers.some((match) => match(uri));
    },
    template: (text) => templates.get(text),
    resourceServers: group.includedResources
      ? []
      : [...capabilities].filter(([, { resources }]) => resources).map(([server]) => server),
    visibleUri: (server, uri) => renamed.get(ofServer(server, uri)) ?? uri,
    capabilitiesOf: (server) => capabilities.get(server) ?? readCapabilities('{}'),
  };
}

function byVisibleKey(features: readonly VisibleFeature[]): ReadonlyMap<string, OwnThing> {
  return new Map(
    features.map(({ server, feature, visibleKey }) => [visibleKey, { server, key: feature.key }]),
  );
}

/** Templates with equally much literal text stay in the group's order. */
function mostSpecificFirst(templates: readonly VisibleFeature[]): readonly VisibleFeature[] {
  const literal = new Map(templates.map((template) => [template, literalLength(template.visibleKey)]));
  const lengthOf = (template: VisibleFeature) => literal.get(template) ?? 0;
  return [...templates].sort((one, other) => lengthOf(other) - lengthOf(one));
}

function toMatcher({ server, feature, visibleKey }: VisibleFeature): (uri: string) => OwnThing | undefined {
  const isMatch = compileUriTemplate(feature.key);
  const prefix = visibleKey === feature.key ? '' : ofServer(server, '');
  return (uri) => {
    const key = uri.slice(prefix.length);
    return uri.startsWith(prefix) && isMatch(key) ? { server, key } : undefined;
  };
}

function listResult(member: string, features: readonly VisibleFeature[], keyMember: string): string {
  const definitions = features.map(({ feature, visibleKey }) =>
    feature.key === visibleKey
      ? feature.definition
      : replaceMembers(feature.definition, 0, { [keyMember]: JSON.stringify(visibleKey) }),
  );
  return `{"${member}":[${definitions.join(',')}]}`;
}

function instructionsOf({ servers }: VisibleFeatures): string | undefined {
  const texts = Array.from(servers, ([name, { instructions }]) =>
    instructions ? `# ${name}\n\n${instructions.slice(0, longestInstructions)}` : '',
  ).filter((text) => text !== '');
  // Half a surrogate pair, the server's own or cut here, costs some clients the whole answer.
  return texts.length === 0 ? undefined : texts.join('\n\n').replace(/\p{Surrogate}/gu, '\ufffd');
}

function isEmptyList(list: readonly string[] | undefined): boolean {
  return list?.length === 0;
}
