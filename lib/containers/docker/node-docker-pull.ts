import { createRedaction } from '../../secrets/redaction.ts';
import { createJsonLines } from '../../streams/lines.ts';
import type { PullProgress } from '../containers.ts';
import { type FoundCredentials, secretsOf } from '../credentials/registry-credentials.ts';
import { engineUnavailable, isEngineUnavailable, pullFailure } from './engine-failures.ts';
import { type DockerClient, engineMessage } from './node-docker-client.ts';
import { createPullProgress, type PullEvent } from './pull-progress.ts';

/**
 * Pulls one image. A fault before the manifest is read rejects the request, or is the first event of its stream; a
 * later fault is an event in a stream that ends normally, which the library takes for success. A registry's messages
 * may repeat the credentials that were sent, so these are redacted.
 * @throws Failure as `Containers.pull`, or `signal.reason`
 */
export async function pullImage(
  client: DockerClient,
  { image, credentials }: { readonly image: string; readonly credentials: FoundCredentials },
  onProgress: (progress: PullProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const { auth } = credentials;
  const redaction = createRedaction();
  if (auth) redaction.hide(secretsOf(auth));
  const failureOf = (text: string, isUnderWay: boolean) =>
    pullFailure({ image, credentials, isUnderWay }, redaction.apply(text));
  signal.throwIfAborted();
  let ended: EndedPull;
  try {
    const options = { abortSignal: signal, ...(auth ? { authconfig: auth } : {}) };
    ended = await readEvents(await client.open((docker) => docker.pull(image, options)), onProgress, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isEngineUnavailable(error)) throw error;
    throw failureOf(engineMessage(error), false);
  }
  if (ended.error !== undefined) throw failureOf(ended.error, ended.isUnderWay);
}

interface EndedPull {
  readonly error: string | undefined;
  readonly isUnderWay: boolean;
}

/** Resolves at the end of the stream, with the error that the stream reported. */
function readEvents(
  stream: NodeJS.ReadableStream,
  onProgress: (progress: PullProgress) => void,
  signal: AbortSignal,
): Promise<EndedPull> {
  const take = createPullProgress();
  let error: string | undefined;
  let isUnderWay = false;
  const read = createJsonLines<PullEvent>((event) => {
    error ??= event.error;
    isUnderWay ||= event.status !== undefined;
    const progress = take(event);
    if (progress) onProgress(progress);
  });
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp);
    stream.on('data', read);
    stream.once('error', (cause) => reject(engineUnavailable(cause)));
    stream.once('end', () => resolve({ error, isUnderWay }));
    stream.once('close', () => {
      signal.removeEventListener('abort', giveUp);
      reject(engineUnavailable());
    });
  });
}
