import type Docker from 'dockerode';
import { withTimeout } from '../../async/wait.ts';
import { parseDockerHost } from './docker-host.ts';
import { engineUnavailable } from './engine-failures.ts';

/**
 * The client library, loaded when it is first needed (it is large), and the one rule for all requests: whoever asks
 * an engine that is away, or silent for longer than a limit, gets `engineUnavailable`.
 */
export interface DockerClient {
  /**
   * Runs one request. `work` hands the signal on as `abortSignal`, so that no request outlives its limit. What the
   * engine itself refuses rejects as `DockerRefusal`.
   */
  run<Result>(
    work: (docker: Docker, abortSignal: AbortSignal) => Promise<Result>,
    limitMs?: number,
  ): Promise<Result>;
  /** For what lasts: events, pulls, attachments. The caller brings its own end. */
  open<Result>(work: (docker: Docker) => Promise<Result>): Promise<Result>;
}

/** Some requests' types do not know that they can be aborted; all can. */
export function abortable<Options extends object>(options: Options, abortSignal: AbortSignal): Options {
  return { ...options, abortSignal };
}

/** The library's errors, as far as we look at them: the status, and the engine's text somewhere in the message. */
export interface DockerRefusal extends Error {
  readonly statusCode: number;
}

const usualLimitMs = 10_000;
const unreachable = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'EACCES',
  'EPERM',
  'ECONNRESET',
  'EPIPE',
  'ENOTSOCK',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAGAIN',
]);

/** @param dockerHost Undefined: the machine's default socket. */
export function createDockerClient(dockerHost: string | undefined): DockerClient {
  const address = dockerHost === undefined ? undefined : parseDockerHost(dockerHost);
  let loading: Promise<Docker> | undefined;

  function load(): Promise<Docker> {
    loading ??= import('dockerode').then((library) => new library.default({ host: undefined, ...address }));
    return loading;
  }

  async function open<Result>(work: (docker: Docker) => Promise<Result>): Promise<Result> {
    try {
      return await work(await load());
    } catch (error) {
      throw isUnreachable(error) ? engineUnavailable(error) : error;
    }
  }

  return {
    open,
    async run(work, limitMs = usualLimitMs) {
      const controller = new AbortController();
      const working = open((docker) => work(docker, controller.signal));
      return await withTimeout(working, limitMs, () => {
        controller.abort();
        throw engineUnavailable();
      });
    },
  };
}

export function isRefusal(error: unknown, ...statuses: readonly number[]): error is DockerRefusal {
  return error instanceof Error && 'statusCode' in error && statuses.includes(Number(error.statusCode));
}

/** Undefined when what was asked for is not there. */
export async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
}

/** The engine's own words, without what the library puts before them. */
export function engineMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^\(HTTP code \d+\) .*? - /s, '').trim();
}

function isUnreachable(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // A connection that breaks off before an answer has only this text.
  return (
    (code !== undefined && unreachable.has(code)) ||
    (error instanceof Error && error.message === 'socket hang up')
  );
}
