import { applyOption, createDockerDraft, type DockerDraft } from './docker-draft.ts';
import { readDockerOptions } from './docker-options.ts';

/**
 * `docker run …` and `podman run …` as the fields of a registration config with an `image` (docs/containers.md). Warnings
 * name the options without a place in a config, except those that the gateway applies anyhow (`-i`, `--rm`, `--init`,
 * `--cap-drop`).
 */
export type DockerRun =
  | {
      readonly image: string;
      /** `--name`. */
      readonly name: string | undefined;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly warnings: readonly string[];
    }
  /** Why the command cannot be converted. */
  | { readonly problem: string };

/**
 * Undefined: not a `docker run` (`docker exec`, `docker compose run`, another program).
 * @param words The program and its arguments.
 * @param environment The environment of the program.
 */
export function dockerRun(
  words: readonly string[],
  environment: Readonly<Record<string, unknown>> = {},
): DockerRun | undefined {
  const [program = '', ...args] = words;
  if (!/^(?:.*[\\/])?(?:docker|podman)(?:\.exe)?$/.test(program)) return undefined;
  const before = args[0] === 'container' ? 1 : 0;
  if (args[before] !== 'run') return undefined;
  const read = readDockerOptions(args.slice(before + 1));
  if ('unknown' in read) return { problem: `the option \`${read.unknown}\` is not known` };
  const [image, ...command] = read.rest;
  if (image === undefined) return { problem: 'it names no image' };
  const draft = createDockerDraft(environment);
  for (const option of read.options) applyOption(draft, option);
  return {
    image,
    name: draft.name,
    fields: fieldsOf(draft, image, command),
    warnings: warningsOf(draft, command),
  };
}

/** With `-i` the server speaks MCP on its standard input, also when ports are published. */
function portOf({ isInteractive, ports }: DockerDraft): number | undefined {
  return isInteractive ? undefined : ports[0];
}

function fieldsOf(draft: DockerDraft, image: string, command: readonly string[]): Record<string, unknown> {
  const { env, fields, volumes, limits, capabilities } = draft;
  const port = portOf(draft);
  return {
    transport: port === undefined ? 'stdio' : 'streamable_http',
    ...unlessEmpty('args', command),
    ...unlessEmpty('env', env),
    image,
    ...(port === undefined ? {} : { port }),
    ...unlessEmpty('limits', limits),
    // The default of docker: an image that was built here is not requested from a registry.
    pull: 'missing',
    ...fields,
    ...unlessEmpty('volumes', volumes),
    ...unlessEmpty('capabilities', capabilities),
  };
}

function warningsOf(draft: DockerDraft, command: readonly string[]): string[] {
  const { env, environment, left, ports, warnings } = draft;
  const port = portOf(draft);
  const unused = Object.keys(environment).filter((name) => !Object.hasOwn(env, name));
  const texts = [...command, ...Object.values(env)].filter((text) => typeof text === 'string');
  return [
    ...warnings,
    ...(left.length === 0 ? [] : [`left out ${quoted(left)}, which no server in a container has here.`]),
    ...(unused.length === 0 ? [] : [`left out ${quoted(unused)} of \`env\`: no \`-e\` hands them on.`]),
    ...(port === undefined
      ? []
      : [`is reached at \`/mcp\` of port ${port}, unless its \`path\` says otherwise.`]),
    ...portsWarnings(port === undefined ? ports : ports.slice(1)),
    ...(texts.some((text) => /\$\(|`/.test(text))
      ? ['runs no `$(…)` of a shell: write what it prints.']
      : []),
    ...(texts.some((text) => text.includes('host.docker.internal'))
      ? ['knows `host.docker.internal` with Docker Desktop only: elsewhere use an address of the host.']
      : []),
  ];
}

function portsWarnings(ports: readonly number[]): string[] {
  return ports.length === 0
    ? []
    : [`left out \`--publish\` of port ${ports.join(', ')}: none is published here.`];
}

function quoted(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `\`${name}\``).join(', ');
}

function unlessEmpty(field: string, value: object): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [field]: value };
}
