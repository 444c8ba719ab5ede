import { isServerName, longestServerName } from '../catalog/names.ts';

/**
 * Server files of other clients, entry by entry, as registration configs. Only what means the same here is
 * carried over; what is left out is named, and whether the result is a valid config is the service's to say.
 */
export type ForeignEntry =
  | {
      readonly name: string;
      readonly config: Readonly<Record<string, unknown>>;
      readonly notes: readonly string[];
    }
  | { readonly name: string; readonly skip: string };

/** @param document Content of a file with `mcpServers` (most clients) or `servers` (VS Code). */
export function foreignEntries(document: Readonly<Record<string, unknown>>): readonly ForeignEntry[] {
  const servers = document.mcpServers ?? document.servers;
  if (!isObject(servers)) return [];
  const names = new Set<string>();
  return Object.entries(servers).map(([givenName, entry]) => {
    const name = freeName(givenName, names);
    names.add(name);
    if (!isObject(entry)) return { name, skip: 'it is not an object' };
    if (entry.disabled === true) return { name, skip: 'it is disabled in the file' };
    return convert(givenName, name, entry);
  });
}

/** Fields that other clients use for things the gateway decides otherwise or not at all are not in here. */
const knownFields = new Set([
  ...['type', 'transport', 'description', 'disabled'],
  ...['command', 'args', 'env', 'cwd'],
  ...['url', 'serverUrl', 'httpUrl', 'headers'],
]);

function convert(givenName: string, name: string, entry: Record<string, unknown>): ForeignEntry {
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const fields =
    url === undefined
      ? { transport: 'stdio', ...pick(entry, ['command', 'args', 'env', 'cwd']) }
      : { transport: urlTransport(entry), url, ...pick(entry, ['headers']) };
  const ignored = Object.keys(entry).filter((field) => !knownFields.has(field));
  return {
    name,
    config: withOurReferences({ name, ...pick(entry, ['description']), ...fields }) as Record<
      string,
      unknown
    >,
    notes: [
      ...(name === givenName ? [] : [`renamed from "${givenName}", which cannot be a server name here.`]),
      ...(ignored.length === 0 ? [] : [`left out ${ignored.join(', ')}, which the gateway does not use.`]),
    ],
  };
}

function urlTransport(entry: Record<string, unknown>): string {
  return entry.type === 'sse' || entry.transport === 'sse' ? 'sse' : 'streamable_http';
}

function pick(entry: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((field) => entry[field] != null).map((field) => [field, entry[field]]),
  );
}

/** `${env:NAME}` (VS Code, Cursor) and `${NAME:-default}` (Claude Code) both become our `${NAME}`. */
function withOurReferences(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g, (_, name) => `\${${name}}`);
  }
  if (Array.isArray(value)) return value.map(withOurReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOurReferences(item)]));
}

/** The nearest name of our grammar that no entry before has taken. */
function freeName(given: string, taken: ReadonlySet<string>): string {
  const nearest = nearestName(given, longestServerName);
  let name = nearest;
  for (let number = 2; taken.has(name); number++) {
    name = `${nearestName(nearest, longestServerName - 1 - String(number).length)}-${number}`;
  }
  return name;
}

function nearestName(given: string, length: number): string {
  if (isServerName(given) && given.length <= length) return given;
  const parts = given.match(/[A-Za-z0-9]+/g) ?? ['server'];
  return parts.join('-').slice(0, length).replace(/-$/, '');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
