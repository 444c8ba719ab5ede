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
