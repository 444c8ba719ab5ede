import { imageRepository } from '../config/image-reference.ts';
import { isObject } from '../json/parse-json.ts';
import { isServerName, longestServerName, serverNameRule } from '../names/names.ts';
import { type DockerRun, dockerRun } from './docker/docker-run.ts';
import { inputsIn } from './foreign-inputs.ts';
import { shellCommands } from './shell-commands.ts';

/**
 * Server files of other clients, entry by entry, as registration configs. Only fields with the same meaning here are
 * carried over; notes name the others. The result is not checked here.
 */
export type ForeignEntry =
  | {
      readonly name: string;
      readonly config: Readonly<Record<string, unknown>>;
      readonly notes: readonly string[];
      /** About parts of a `docker run` that cannot be carried over, or have another meaning here. */
      readonly warnings: readonly string[];
    }
  | { readonly name: string; readonly skip: string };

/** In one file, since finding free names takes quadratic time. */
export const mostServers = 256;

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

/** Without fields of other clients for which the gateway has no equivalent. */
const knownFields = new Set([
  ...['type', 'transport', 'description', 'disabled'],
  ...['command', 'args', 'env', 'cwd'],
  ...['url', 'serverUrl', 'httpUrl', 'headers'],
]);

function convert(givenName: string, name: string, given: Record<string, unknown>): ForeignEntry {
  const entry = withOurReferences(given) as Record<string, unknown>;
  const url = entry.url ?? entry.serverUrl ?? entry.httpUrl;
  const run = url === undefined ? dockerRunOf(entry) : undefined;
  const ignored = Object.keys(entry).filter((field) => !knownFields.has(field));
  const fields: Readonly<Record<string, unknown>> = fieldsOf(entry, url, run);
  return {
    name,
    config: { name, ...pick(entry, ['description']), ...fields },
    notes: [
      ...(name === givenName ? [] : [renamed(givenName)]),
      ...(ignored.length === 0 ? [] : [`left out ${ignored.join(', ')}, which the gateway does not use.`]),
    ],
    warnings: [...(run === undefined ? [] : warningsOf(run)), ...seenInputs(fields)],
  };
}

/** Arguments are no place for secrets: the config and every list of processes show them. */
function seenInputs({ args }: Readonly<Record<string, unknown>>): readonly string[] {
  const ids = [...inputsIn(args)].map((id) => `"${id}"`);
  return ids.length === 0
    ? []
    : [`the value of ${ids.join(', ')} can be seen, for it becomes part of its arguments.`];
}

function renamed(givenName: string): string {
  const why = isServerName(givenName)
    ? 'which another entry has'
    : `which cannot be a server name here (${serverNameRule})`;
  return `renamed from "${givenName}", ${why}.`;
}

function fieldsOf(entry: Record<string, unknown>, url: unknown, run: DockerRun | undefined) {
  if (run !== undefined && 'fields' in run) return run.fields;
  return url === undefined
    ? { transport: 'stdio', ...pick(entry, ['command', 'args', 'env', 'cwd']) }
    : { transport: urlTransport(entry), url, ...pick(entry, ['headers']) };
}

/** Some files have the whole line in `command`. */
function dockerRunOf({ command, args = [], env = {} }: Record<string, unknown>): DockerRun | undefined {
  if (typeof command !== 'string' || !Array.isArray(args) || !isObject(env)) return undefined;
  const [words = []] = /\s/.test(command) ? shellCommands(command) : [[command]];
  return args.every((word) => typeof word === 'string') ? dockerRun([...words, ...args], env) : undefined;
}

function warningsOf(run: DockerRun): readonly string[] {
  return 'fields' in run ? run.warnings : [`stays a command of this host, as ${run.problem}.`];
}

/** Each `docker run` or `podman run` in lines for a shell, as in READMEs; named by `--name` or by its image. */
export function dockerLineEntries(text: string): readonly ForeignEntry[] {
  const names = new Set<string>();
  return shellCommands(text).flatMap((words): ForeignEntry[] => {
    const { environment, program } = withoutPreamble(words);
    const run = names.size > mostServers ? undefined : dockerRun(program, environment);
    if (run === undefined) return [];
    const name = freeName('fields' in run ? (run.name ?? nameOfImage(run.image)) : 'server', names);
    names.add(name);
    if ('problem' in run) return [{ name, skip: run.problem }];
    return [{ name, config: { name, ...run.fields }, notes: [], warnings: run.warnings }];
  });
}

/** The command without a prompt, `sudo`, and variables that are set for it alone. */
function withoutPreamble(words: readonly string[]) {
  const start = words.findIndex((word) => !/^(?:[$#%>]|sudo|env|exec|[A-Za-z_]\w*=[\s\S]*)$/.test(word));
  const assigned = words.slice(0, Math.max(start, 0)).flatMap((word) => {
    const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  return { program: words.slice(Math.max(start, 0)), environment: Object.fromEntries(assigned) };
}

/** The last part of the path that is not a generic word. */
function nameOfImage(image: string): string {
  const parts = imageRepository(image).split('/');
  return parts.filter((part) => !/^(?:mcp|server|mcp-server)$/.test(part)).at(-1) ?? image;
}

function urlTransport(entry: Record<string, unknown>): string {
  return entry.type === 'sse' || entry.transport === 'sse' ? 'sse' : 'streamable_http';
}

function pick(entry: Record<string, unknown>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.filter((field) => entry[field] != null).map((field) => [field, entry[field]]),
  );
}

/** A default ends where another reference begins: else matching many unclosed references takes quadratic time. */
const withDefault = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(?:[^}$]|\$(?!\{))*)?\}/g;

/** `${env:NAME}` (VS Code, Cursor) and `${NAME:-default}` (Claude Code) become our `${NAME}`; inputs stay. */
function withOurReferences(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(withDefault, (_, name) => `\${${name}}`);
  }
  if (Array.isArray(value)) return value.map(withOurReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOurReferences(item)]));
}

/** The nearest valid server name that no earlier entry has. */
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
