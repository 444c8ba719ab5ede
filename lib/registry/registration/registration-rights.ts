import { referencesIn } from '../../config/references.ts';
import { literalPlaces } from '../../config/secret-literals.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { type OriginFields, originHash, originOf } from '../../config/server-origin.ts';
import { Failure } from '../../failure.ts';
import { longestServerName } from '../../names/names.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { affectedTools } from '../removal/affected-groups.ts';
import type { ReplaceableServer } from './name-taken.ts';
import { registrationOutcome } from './registration.ts';

/**
 * The caller of a registration (SECURITY.md, Rights). Rights are checked before anything is done and under the lock of
 * the server's name, so that the server that is checked is the one that is replaced.
 */
export interface Requester {
  /** The caller has administration rights: the admin socket, or `ADMIN_TOKEN`. */
  readonly isAdministrator: boolean;
  /** The caller accepts that a server of this name is replaced. */
  readonly replace: boolean;
  /** Files of the container outside of volumes may be lost. */
  readonly discardData: boolean;
}

const howElse = 'use the `svc-mcp` command line or the admin token';

type Deps = Pick<RegistryDependencies, 'known' | 'catalog' | 'groups' | 'owners' | 'removed' | 'mounts'>;

/**
 * @throws Failure `conflict`, `command_needs_admin`, `replace_needs_admin`, `secret_needs_admin`, `mount_needs_admin`,
 *   `mount_not_allowed`.
 */
export async function assertMayRegister(
  deps: Deps,
  config: ServerConfig,
  requester: Requester,
): Promise<void> {
  await deps.mounts.assertAllowed(config.volumes);
  if (isTaken(deps, config.name)) {
    // An unchanged config needs no right: registering it does as much as a restart.
    if (isIdentical(deps, config)) return;
    if (!requester.replace) throw taken(deps, config);
    const refusal = requester.isAdministrator ? undefined : replacementRefusal(deps, config);
    if (refusal) throw refusal;
  } else if (!requester.isAdministrator) {
    assertMayMount(config);
    await assertMayFollow(deps, config);
  }
  if (!requester.isAdministrator) await assertMayRefer(deps, config);
}

/**
 * A name of a removed server that groups still have ticked may only be given to the same server again: otherwise a
 * caller could achieve by removing and adding what replacing refuses.
 * @throws Failure `replace_needs_admin`
 */
export async function assertMayFollow(
  { groups, catalog, removed }: Pick<Deps, 'groups' | 'catalog' | 'removed'>,
  config: OriginFields & Pick<ServerConfig, 'name'>,
): Promise<void> {
  const { name } = config;
  const affected = Object.keys(affectedTools(groups, catalog, name));
  if (affected.length === 0) return;
  const origin = await removed.originOf(name);
  if (origin === undefined || origin === (await originHash(config))) return;
  throw new Failure(
    'replace_needs_admin',
    `${agentsOf(affected)} would call another server as \`${name}\` than the one that was removed: ${howElse}, ` +
      'or take its tools out of the groups first.',
    { details: { groups: affected } },
  );
}

/**
 * Refuses mounts and capabilities that open the engine's host, or the data of others, to a program that a caller chose.
 * @throws Failure `mount_needs_admin`
 */
export function assertMayMount(config: Pick<ServerConfig, 'volumes' | 'capabilities'>): void {
  const refusal = mountRefusal(config);
  if (refusal) throw refusal;
}

function mountRefusal({ volumes, capabilities }: Pick<ServerConfig, 'volumes' | 'capabilities'>) {
  const index = volumes.findIndex(({ source }) => source !== undefined);
  if (index === -1 && capabilities.length === 0) return undefined;
  const field = index === -1 ? 'capabilities' : `volumes.${index}.source`;
  const remedy = index === -1 ? 'leave it out' : 'leave it out for a volume of the server’s own';
  return new Failure(
    'mount_needs_admin',
    `Field \`${field}\` needs administration rights: ${remedy}, or ${howElse}.`,
    { details: { field } },
  );
}

/** Whether the name has a server, or a config file with a problem. */
export function isTaken(
  { known, catalog }: Pick<RegistryDependencies, 'known' | 'catalog'>,
  name: string,
): boolean {
  return known.current.has(name) || known.problems.has(name) || catalog.server(name) !== undefined;
}

/** @param subject The object that refers to the secrets, for the sentence. @throws Failure `secret_needs_admin` */
export function refuseReferences(names: readonly string[], subject: string): void {
  if (names.length === 0) return;
  throw new Failure(
    'secret_needs_admin',
    `${subject} may not refer to ${names.map((name) => `\`${name}\``).join(', ')} without administration rights: ` +
      'give the value itself, or use the `svc-mcp` command line or the admin token.',
    { details: { secrets: names } },
  );
}

/**
 * Allows references to secrets that the server owns, at the origin for which their values were given, while their
 * destination stays the same. The environment decides what a container does with a value; at a shared address the path,
 * the query and the headers decide who receives it.
 */
async function assertMayRefer({ known, owners }: Deps, config: ServerConfig): Promise<void> {
  const names = referencesIn(config);
  if (names.length === 0) return;
  const [owned, origin] = await Promise.all([owners.read(), originHash(config)]);
  const current = known.current.get(config.name);
  const isSteered =
    current?.url !== config.url ||
    !isSameRecord(current?.env ?? {}, config.env) ||
    !isSameRecord(current?.headers ?? {}, config.headers);
  const refused = names.filter((name) => {
    const owner = owned.get(name);
    return isSteered || owner?.server !== config.name || owner.origin !== origin;
  });
  refuseReferences(refused, `Server \`${config.name}\``);
}

function isIdentical(deps: Deps, config: ServerConfig): boolean {
  return registrationOutcome(deps, config) === 'unchanged' && literalPlaces(config).length === 0;
}

function taken(deps: Deps, config: ServerConfig): Failure {
  const { name } = config;
  const details: ReplaceableServer = {
    server: name,
    tools: deps.catalog.server(name)?.tools.map(({ fullName }) => fullName) ?? [],
    affected_groups: affectedTools(deps.groups, deps.catalog, name),
    origin_changes: changesOrigin(deps, config),
    needs_admin: replacementRefusal(deps, config) !== undefined,
    suggested_name: freeNameLike(name, (other) => isTaken(deps, other)),
  };
  return new Failure(
    'conflict',
    `There is a server named \`${name}\` already: choose another name, or say that this one replaces it (\`replace\`).`,
    { details },
  );
}

/** Undefined when the replacement needs no administration rights. */
function replacementRefusal(deps: Deps, config: ServerConfig): Failure | undefined {
  const { name } = config;
  const refusal = mountRefusal(config);
  if (refusal) return refusal;
  const current = deps.known.current.get(name) ?? deps.catalog.server(name)?.config;
  if (current === undefined) {
    const sentence = `The config file of \`${name}\` cannot be used, so nobody can tell what would be replaced: ${howElse}.`;
    return new Failure('replace_needs_admin', sentence);
  }
  if (current.image === undefined && current.command !== undefined) {
    return new Failure(
      'command_needs_admin',
      `Server \`${name}\` is a program on this host; to replace it, ${howElse}.`,
    );
  }
  const groups = Object.keys(affectedTools(deps.groups, deps.catalog, name));
  if (groups.length === 0 || !changesOrigin(deps, config)) return undefined;
  return new Failure(
    'replace_needs_admin',
    `${agentsOf(groups)} would call another server as \`${name}\`: ${howElse}.`,
    { details: { groups } },
  );
}

function agentsOf({ length }: readonly string[]): string {
  return `Agents of ${length === 1 ? '1 group' : `${length} groups`}`;
}

/** An unknown origin counts as different. */
function changesOrigin({ known, catalog }: Deps, config: ServerConfig): boolean {
  const current = known.current.get(config.name) ?? catalog.server(config.name)?.config;
  return current === undefined || originOf(current) !== originOf(config);
}

function isSameRecord(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** The next name like this one that no server has, such as `crm-2`. */
export function freeNameLike(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const ending = `-${number}`;
    const begun = name.slice(0, longestServerName - ending.length).replace(/[._-]+$/, '');
    if (!isTaken(begun + ending)) return begun + ending;
  }
}
