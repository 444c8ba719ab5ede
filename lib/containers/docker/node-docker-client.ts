import type Docker from 'dockerode';
import { withTimeout } from '../../async/wait.ts';
import { parseDockerHost } from './docker-host.ts';
import { engineUnavailable } from './engine-failures.ts';

/**
 * The client library, loaded on first use because it is large, and the one rule for all requests: a request to an
 * engine that is away, or silent for longer than a limit, fails with `engineUnavailable`.
 */
export interface DockerClient {
  /**
   * Runs one request. `work` passes the signal on as `abortSignal`, so that no request outlives its limit. A refusal by
   * the engine itself rejects as `DockerRefusal`.
   */
  run<Result>(
    work: (docker: Docker, abortSignal: AbortSignal) => Promise<Result>,
    limitMs?: number,
  ): Promise<Result>;
  /** For long-lived requests: events, pulls, attachments. The caller provides the signal that ends them. */
  open<Result>(work: (docker: Docker) => Promise<Result>): Promise<Result>;
}

/** Adds the abort signal, which all requests accept but some types lack. */
export function abortable<Options extends object>(options: Options, abortSignal: AbortSignal): Options {
  return { ...options, abortSignal };
}

/** The parts of the library's errors that we use: the status, and the engine's text somewhere in the message. */
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

/** Undefined when the requested object does not exist. */
export async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
}

/** The engine's own message, without the library's prefix. */
export function engineMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^\(HTTP code \d+\) .*? - /s, '').trim();
}

function isUnreachable(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // When a connection breaks off before an answer, the error has only this text.
  return (
    (code !== undefined && unreachable.has(code)) ||
    (error instanceof Error && error.message === 'socket hang up')
  );
}
