import { realpath, stat } from 'node:fs/promises';
import { registryName } from '../../config/image-reference.ts';
import { Failure } from '../../failure.ts';
import { readRegularFile } from '../../files/node-regular-file.ts';
import { type AskHelper, askCredentialHelper } from './node-credential-helper.ts';
import {
  authOfPair,
  type CredentialSource,
  type RegistryAuth,
  registryAuth,
  serverAddress,
} from './registry-credentials.ts';

/**
 * Docker's own configuration file as a source of credentials, read anew each time, so that a `docker login` is
 * effective at the next pull. The file may be a link, as mounted files are. A missing file means no credentials.
 * @param path Undefined when there is no place for such a file.
 */
export function dockerConfigCredentials(
  path: string | undefined,
  askHelper: AskHelper = askCredentialHelper,
): CredentialSource {
  return async (registry) => {
    const config = path === undefined ? undefined : await readConfig(path);
    const helper = config?.helperOf(registry);
    const problems: unknown[] = [];
    const fromHelper =
      helper && (await askHelper(helper, registry).catch((error) => void problems.push(error)));
    const auth = fromHelper || config?.authOf(registry);
    if (auth === undefined && problems.length > 0) throw problems[0];
    return { auth, source: fromHelper ? `\`docker-credential-${helper}\`` : 'docker’s configuration file' };
  };
}

async function readConfig(path: string) {
  const content = await readRegularFile(await realpath(path).catch(() => path));
  if (content.kind === 'absent' || (await isDangling(path))) return undefined;
  if (content.kind === 'unusable') throw unreadable(content.problem);
  const config = parseDockerConfig(content.text);
  if (config === undefined) throw unreadable('It is not a JSON object.');
  return config;
}

/** A link whose target does not exist yet. */
function isDangling(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

function unreadable(problem: string): Failure {
  return new Failure('storage_failed', `Docker’s configuration file cannot be used. ${problem}`);
}

/**
 * The part of Docker's configuration file that concerns registries (docs.docker.com/reference/cli/docker/login):
 * `auths` has credentials, `credHelpers` and `credsStore` name programs that have them. Other and malformed members are
 * ignored, as docker does.
 */
export interface DockerConfig {
  /** The program that has the credentials for this registry: `<name>` in `docker-credential-<name>`. */
  helperOf(registry: string): string | undefined;
  authOf(registry: string): RegistryAuth | undefined;
}

/** @returns undefined when the text is not such a file. */
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

/** A name in docker's own spelling takes precedence over others of the same registry. */
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

/** Docker itself pads some passwords with zero bytes. */
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
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
