import { registryOf } from '../../config/image-reference.ts';
import { Failure, toFailure } from '../../failure.ts';
import type { Secrets } from '../../secrets/secrets.ts';

/**
 * Credentials for a registry in the engine's format, the header `X-Registry-Auth`: a name and password, or a token
 * (docs.docker.com/reference/api/engine, "Authentication").
 */
export interface RegistryAuth {
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly registrytoken?: string;
  readonly serveraddress: string;
}

/** The name that credential helpers print for a token. */
const tokenUser = '<token>';

/** @returns undefined when there are no credentials in it. */
export function registryAuth(registry: string, username: string, secret: string): RegistryAuth | undefined {
  if (username === '' || secret === '') return undefined;
  const serveraddress = serverAddress(registry);
  return username === tokenUser
    ? { identitytoken: secret, serveraddress }
    : { username, password: secret, serveraddress };
}

/** `user:password`, where the password may contain colons. */
export function authOfPair(registry: string, pair: string): RegistryAuth | undefined {
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : registryAuth(registry, pair.slice(0, colon), pair.slice(colon + 1));
}

/** The name of a registry in docker and its helpers: Docker Hub has kept the address of its first version. */
export function serverAddress(registry: string): string {
  return registry === 'docker.io' ? 'https://index.docker.io/v1/' : registry;
}

/** The secret parts of the credentials, including their encoded form in the header. */
export function secretsOf({ username, password, identitytoken, registrytoken }: RegistryAuth): string[] {
  const pair = username === undefined || password === undefined ? undefined : `${username}:${password}`;
  const values = [password, identitytoken, registrytoken, pair && base64(pair)];
  return values.filter((value) => value !== undefined);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/**
 * The credentials for the registry of an image. They are looked up anew for each request, never stored, and sent to the
 * engine for that one registry only: credentials of one host are sent to no other, however similar their names.
 */
export interface RegistryCredentials {
  /** Never rejects: without credentials a registry is asked anonymously. */
  find(image: string): Promise<FoundCredentials>;
}

export interface FoundCredentials {
  readonly auth?: RegistryAuth | undefined;
  /** The place of the credentials, as a part of a sentence. */
  readonly source?: string | undefined;
  /** Sentences that say why a source could not be read. They hold nothing secret. */
  readonly troubles: readonly string[];
}

/** One source of credentials. Rejects with a failure that says why it could not be read. */
export type CredentialSource = (registry: string) => Promise<Omit<FoundCredentials, 'troubles'> | undefined>;

/** @param sources The first source that has credentials for the registry is used. */
export function createRegistryCredentials(sources: readonly CredentialSource[]): RegistryCredentials {
  async function find(image: string): Promise<FoundCredentials> {
    const troubles: string[] = [];
    for (const source of sources) {
      try {
        const found = await source(registryOf(image));
        if (found?.auth) return { ...found, troubles };
      } catch (error) {
        troubles.push(toFailure(error).message);
      }
    }
    return { troubles };
  }

  return { find };
}

export const noCredentials = createRegistryCredentials([]);

/**
 * The secrets method as a source: secrets of the form `user:password`.
 * @param secretNames Registry → name of its secret (`REGISTRY_CREDENTIALS`).
 */
export function secretCredentials(
  secretNames: ReadonlyMap<string, string>,
  secrets: Pick<Secrets, 'read'>,
): CredentialSource {
  return async (registry) => {
    const name = secretNames.get(registry);
    if (name === undefined) return undefined;
    const value = (await secrets.read([name])).get(name);
    if (value === undefined)
      throw unusable(`There is no secret \`${name}\`, which \`REGISTRY_CREDENTIALS\` names.`);
    const auth = authOfPair(registry, value);
    if (auth === undefined) throw unusable(`The secret \`${name}\` is not of the form \`user:password\`.`);
    return { auth, source: `the secret \`${name}\`` };
  };
}

function unusable(sentence: string): Failure {
  return new Failure('storage_failed', sentence);
}
