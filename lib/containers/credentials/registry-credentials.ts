import { registryOf } from '../../config/image-reference.ts';
import { Failure, toFailure } from '../../failure.ts';
import type { Secrets } from '../../secrets/secrets.ts';

/**
 * What the engine is told of a caller at a registry, in the header `X-Registry-Auth`: a name and password, or a token
 * (docs.docker.com/reference/api/engine, "Authentication").
 */
export interface RegistryAuth {
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly registrytoken?: string;
  readonly serveraddress: string;
}

/** What a credential helper calls a user who has a token instead of a name. */
const tokenUser = '<token>';

/** @returns undefined when there is nothing in it. */
export function registryAuth(registry: string, username: string, secret: string): RegistryAuth | undefined {
  if (username === '' || secret === '') return undefined;
  const serveraddress = serverAddress(registry);
  return username === tokenUser
    ? { identitytoken: secret, serveraddress }
    : { username, password: secret, serveraddress };
}

/** `user:password`, where the password may have colons of its own. */
export function authOfPair(registry: string, pair: string): RegistryAuth | undefined {
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : registryAuth(registry, pair.slice(0, colon), pair.slice(colon + 1));
}

/** What docker and its helpers call a registry: Docker Hub has kept the address of its first version. */
export function serverAddress(registry: string): string {
  return registry === 'docker.io' ? 'https://index.docker.io/v1/' : registry;
}

/** Everything in it that nobody may see, also as it travels. */
export function secretsOf({ username, password, identitytoken, registrytoken }: RegistryAuth): string[] {
  const pair = username === undefined || password === undefined ? undefined : `${username}:${password}`;
  const values = [password, identitytoken, registrytoken, pair && base64(pair)];
  return values.filter((value) => value !== undefined);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/**
 * Who we are at the registry of an image. Looked up anew for each request, kept nowhere, and given to the engine for that
 * one registry only: what was stored for a host goes to no other, however alike their names.
 */
export interface RegistryCredentials {
  /** Never rejects: without credentials a registry is asked as anybody may. */
  find(image: string): Promise<FoundCredentials>;
}

export interface FoundCredentials {
  readonly auth?: RegistryAuth | undefined;
  /** Where they are, as a part of a sentence. */
  readonly source?: string | undefined;
  /** Sentences: why a place that may have them could not be read. Hold nothing secret. */
  readonly troubles: readonly string[];
}

/** One place to look for them. Rejects with a failure that says why it could not. */
export type CredentialSource = (registry: string) => Promise<Omit<FoundCredentials, 'troubles'> | undefined>;

/** @param sources The first that knows the registry counts. */
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
 * The secrets method as a source: secrets with the value `user:password`.
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
