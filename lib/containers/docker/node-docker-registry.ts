import type Docker from 'dockerode';
import { createRedaction } from '../../secrets/redaction.ts';
import { type RegistryAuth, secretsOf } from '../credentials/registry-auth.ts';
import type { FoundCredentials } from '../credentials/registry-credentials.ts';
import { isEngineUnavailable, pullFailure } from './engine-failures.ts';
import { type DockerClient, engineMessage } from './node-docker-client.ts';

/** The library's own request for this cannot be aborted. */
interface Dialled {
  readonly path: string;
  readonly method: 'GET';
  readonly statusCodes: Readonly<Record<number, string | true>>;
  readonly authconfig: RegistryAuth | undefined;
  readonly abortSignal: AbortSignal;
}

interface Dialler {
  dial(request: Dialled, done: (error: Error | null, answer: unknown) => void): void;
}

/** The engine asks the registry while we wait. */
const limitMs = 20_000;

/**
 * What the registry has under this name now, asked by the engine, which knows how to reach it (mirrors, certificates).
 * @param image A reference: its grammar holds nothing that a URL's path would take for more.
 * @throws Failure as `Containers.pull`
 */
export async function readRegistryDigest(
  client: DockerClient,
  image: string,
  credentials: FoundCredentials,
): Promise<string> {
  const { auth } = credentials;
  const redaction = createRedaction();
  if (auth) redaction.hide(secretsOf(auth));
  const failed = (text: string) =>
    pullFailure({ image, credentials, isUnderWay: false }, redaction.apply(text));
  try {
    const digest = digestIn(await client.run((docker, signal) => ask(docker, image, auth, signal), limitMs));
    if (digest !== undefined) return digest;
  } catch (error) {
    if (isEngineUnavailable(error)) throw error;
    throw failed(engineMessage(error));
  }
  throw failed('its registry answered without a digest');
}

function ask(
  { modem }: Docker,
  image: string,
  authconfig: RegistryAuth | undefined,
  abortSignal: AbortSignal,
): Promise<unknown> {
  const path = `/distribution/${image}/json`;
  const statusCodes = { 200: true, 401: 'unauthorized', 403: 'denied', 404: 'not found' } as const;
  return new Promise((resolve, reject) => {
    (modem as Dialler).dial({ path, method: 'GET', statusCodes, authconfig, abortSignal }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

function digestIn(answer: unknown): string | undefined {
  const { digest } = (answer as { readonly Descriptor?: { readonly digest?: unknown } }).Descriptor ?? {};
  return typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : undefined;
}
