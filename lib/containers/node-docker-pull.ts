import type { PullProgress } from './containers.ts';
import { engineUnavailable, isEngineUnavailable, type PullProblem, pullProblem } from './engine-failures.ts';
import { createJsonLines } from './json-lines.ts';
import { type DockerClient, engineText } from './node-docker-client.ts';
import { createPullProgress, type PullEvent } from './pull-progress.ts';

/**
 * Pulls one image. What goes wrong before the manifest is there rejects the request; what goes wrong later is an event
 * in a stream that ends like any other, which the library takes for success.
 * @returns the problem, or undefined when the image is here
 * @throws Failure when the engine is away, or `signal.reason`
 */
export async function pullImage(
  client: DockerClient,
  image: string,
  onProgress: (progress: PullProgress) => void,
  signal: AbortSignal,
): Promise<PullProblem | undefined> {
  signal.throwIfAborted();
  try {
    const stream = await client.open((docker) => docker.pull(image, { abortSignal: signal }));
    const error = await readEvents(stream, onProgress, signal);
    return error === undefined ? undefined : pullProblem(image, error, true);
  } catch (error) {
    signal.throwIfAborted();
    if (isEngineUnavailable(error)) throw error;
    return pullProblem(image, engineText(error), false);
  }
}

/** Resolves when the stream has ended, with the error that it told of. */
function readEvents(
  stream: NodeJS.ReadableStream,
  onProgress: (progress: PullProgress) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  const take = createPullProgress();
  let error: string | undefined;
  const read = createJsonLines<PullEvent>((event) => {
    error ??= event.error;
    const progress = take(event);
    if (progress) onProgress(progress);
  });
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp);
    stream.on('data', read);
    stream.once('error', (cause) => reject(engineUnavailable(cause)));
    stream.once('end', () => resolve(error));
    stream.once('close', () => {
      signal.removeEventListener('abort', giveUp);
      reject(engineUnavailable());
    });
  });
}
