import { registryName } from '../../config/image-reference.ts';
import { isObject } from '../../json/is-object.ts';
import { authOfPair, type RegistryAuth, registryAuth, serverAddress } from './registry-auth.ts';

/**
 * Docker's configuration file, as far as it tells of registries (docs.docker.com/reference/cli/docker/login): `auths` has
 * credentials, `credHelpers` and `credsStore` name programs that have them. Whatever else is in it, or is not as it
 * should be, is passed over as docker does.
 */
export interface DockerConfig {
  /** The program that has the credentials for this registry: `<name>` of `docker-credential-<name>`. */
  helperOf(registry: string): string | undefined;
  authOf(registry: string): RegistryAuth | undefined;
}

/** @returns undefined when it is no such file. */
export function parseDockerConfig(text: string): DockerConfig | undefined {
  const config = toRecord(parsed(text));
  if (config === undefined) return undefined;
  return {
    helperOf(registry) {
      const own = entryOf(config.credHelpers, registry);
      return [own, config.credsStore].find((name) => typeof name === 'string' && name !== '') as
        | string
        | undefined;
    },
    authOf: (registry) => toAuth(registry, toRecord(entryOf(config.auths, registry))),
  };
}

/** A name that is written as docker writes it comes before others of the same registry. */
function entryOf(entries: unknown, registry: string): unknown {
  const known = Object.entries(toRecord(entries) ?? {});
  const exact = known.find(([address]) => address === serverAddress(registry));
  return (exact ?? known.find(([address]) => registryName(address) === registry))?.[1];
}

function toAuth(
  registry: string,
  entry: Readonly<Record<string, unknown>> | undefined,
): RegistryAuth | undefined {
  const { auth, username, password, identitytoken, registrytoken } = entry ?? {};
  const serveraddress = serverAddress(registry);
  if (isText(identitytoken)) return { identitytoken, serveraddress };
  if (isText(registrytoken)) return { registrytoken, serveraddress };
  if (isText(auth)) return authOfPair(registry, decoded(auth));
  return isText(username) && isText(password) ? registryAuth(registry, username, password) : undefined;
}

/** Docker itself ends some passwords with zero bytes. */
function decoded(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(bytes).replace(/\0+$/, '');
  } catch {
    return '';
  }
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
