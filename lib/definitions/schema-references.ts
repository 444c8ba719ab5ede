import { isObject } from '../json/parse-json.ts';

/** `$id`, `$anchor` and `$ref` of a standalone schema, as far as all clients agree on their meaning. */

/** A part of the schema; `elsewhere` is the known schema of draft-07. */
export type Target = Record<string, unknown> | boolean | 'elsewhere';

const knownElsewhere = 'http://json-schema.org/draft-07/schema';

/** The target of a reference; undefined when clients would not find it. */
export function findTarget(
  root: Record<string, unknown>,
  anchors: Anchors,
  reference: string,
): Target | undefined {
  const cut = reference.indexOf('#');
  const base = cut < 0 ? reference : reference.slice(0, cut);
  const fragment = cut < 0 ? '' : reference.slice(cut + 1);
  if (base === knownElsewhere && fragment === '') return 'elsewhere';
  const own = typeof root.$id === 'string' ? root.$id.replace(/#$/, '') : '';
  if (base !== '' && (base !== own || !isAbsolute.test(base))) return undefined;
  if (fragment === '') return root;
  return fragment.startsWith('/') ? atPointer(root, fragment) : anchors.get(fragment);
}

const isAbsolute = /^(https?:\/\/[a-z0-9.-]+(:\d+)?\/[\w./~-]*|urn:[\w.:-]+)$/;
const isRelative = /^\/?[A-Za-z_][\w.-]*(\/[\w-][\w.-]*)*$/;

/** JSON Pointer (RFC 6901) as a fragment. */
function atPointer(root: Record<string, unknown>, pointer: string): Target | undefined {
  let at: unknown = root;
  for (const part of pointer.slice(1).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return isObject(at) || typeof at === 'boolean' ? at : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Anchor → schema. */
export type Anchors = ReadonlyMap<string, Record<string, unknown>>;

/**
 * The anchors of a schema, or why a client could take one name for two schemas; that continues "its outputSchema …". One
 * client keeps the ids of all tools together, and drops the whole list when the id of one schema is that of a part of
 * another, even of another tool.
 */
export function readAnchors(root: Record<string, unknown>): Anchors | string {
  if (root.$id !== undefined && !isPlainId(root.$id)) return 'has an `$id` that clients cannot read';
  const anchors = new Map<string, Record<string, unknown>>();
  return collectAnchors(root, false, anchors) ?? anchors;
}

function isPlainId(id: unknown): boolean {
  if (typeof id !== 'string') return false;
  const plain = id.replace(/#$/, '');
  return plain === '' || isAbsolute.test(plain) || (isRelative.test(plain) && !(plain in {}));
}

/** Keywords whose values are not schemas. */
const data = new Set(['const', 'default', 'enum', 'required']);
/** Keywords whose values are maps of schemas by arbitrary names. */
const maps = new Set([
  '$defs',
  'definitions',
  'properties',
  'patternProperties',
  'dependencies',
  'dependentSchemas',
]);

function collectAnchors(
  value: object,
  isMap: boolean,
  anchors: Map<string, Record<string, unknown>>,
): string | undefined {
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue;
    const isData = data.has(name) || (name === 'examples' && Array.isArray(inner));
    if (isData && !isMap) continue;
    const why =
      (isObject(inner) ? addAnchor(inner, anchors) : undefined) ??
      collectAnchors(inner, !isMap && maps.has(name), anchors);
    if (why !== undefined) return why;
  }
  return undefined;
}

function addAnchor(
  schema: Record<string, unknown>,
  anchors: Map<string, Record<string, unknown>>,
): string | undefined {
  if (typeof schema.$id === 'string') return 'holds a schema with an `$id` of its own';
  for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
    if (typeof anchor !== 'string') continue;
    if (anchors.has(anchor) || !/^[a-z_][-a-z0-9._]*$/i.test(anchor)) return 'has an `$anchor` that is none';
    anchors.set(anchor, schema);
  }
  return undefined;
}
