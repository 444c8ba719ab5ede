import { resolveReferences } from '../../config/secret-references.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { type Failure, toFailure } from '../../failure.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { StartFailure } from '../../upstreams/upstream-failures.ts';
import type { Candidate, Upstreams } from '../../upstreams/upstreams.ts';
import type { Containers } from '../containers.ts';
import type { ContainerStore } from '../store/container-store.ts';
import { type PulledConfig, type PulledImage, type PullImage, pullByPolicy } from './present-image.ts';
import {
  calledOff,
  containersElsewhere,
  noEngine,
  type ProvisionWatch,
  provisionFailed,
} from './provision-steps.ts';

/**
 * The steps between an image's name and a server that answers: pull, create, start, handshake, tools. A failed
 * step rejects with `provision_failed`, its exit code and the last lines; the caller undoes the steps before it.
 */
export interface ImageStarts {
  /** Rejects with `provision_failed`, 503, unless this process has an engine and owns the containers. */
  assertPossible(): Promise<void>;
  /** By the `pull` setting of the config (docs/containers.md). */
  pull(config: PulledConfig, watch: ProvisionWatch): Promise<PulledImage>;
  /**
   * Starts a server from its local image and waits until it has listed its tools. Rejects with a failure that carries
   * `details.missing_variables` when a reference has no value; then nothing was created.
   */
  prepare(config: ServerConfig, watch: ProvisionWatch): Promise<Candidate>;
}

export interface ImageStartsDependencies {
  readonly containers: Pick<Containers, 'problem' | 'pull' | 'image'>;
  readonly containerStore: Pick<ContainerStore, 'ensure'>;
  readonly upstreams: Pick<Upstreams, 'prepare'>;
  readonly secrets: Secrets;
  /** Whether this process owns the containers now. */
  readonly isOwner: () => boolean;
  /** Why this process is not the owner, see `AbsentOwner`; absent: another process is. */
  readonly whyNotOwner?: () => Promise<string>;
  /** How long a registry may send nothing before the pull fails, in ms. */
  readonly pullStallTimeoutMs?: number;
}

export function createImageStarts(dependencies: ImageStartsDependencies): ImageStarts {
  const { containers, containerStore, upstreams, secrets, pullStallTimeoutMs = 60_000 } = dependencies;

  return {
    async assertPossible() {
      const problem = await containers.problem();
      if (problem !== undefined) throw noEngine(problem);
      if (!dependencies.isOwner()) throw containersElsewhere(await dependencies.whyNotOwner?.());
    },
    async pull(config, { onStep, signal }) {
      const timer = createStallTimer(pullStallTimeoutMs, signal);
      onStep({ step: 'pull' });
      const pull: PullImage = async (image) => {
        try {
          await containers.pull(
            image,
            ({ percent, layers }) => {
              timer.renew();
              onStep({ step: 'pull', layers, ...(percent === undefined ? {} : { percent }) });
            },
            timer.signal,
          );
        } catch (error) {
          if (signal.aborted) throw calledOff('pull');
          throw timer.signal.aborted ? registryStalled(pullStallTimeoutMs) : error;
        }
      };
      try {
        return await pullByPolicy(config, { pull, image: containers.image });
      } finally {
        timer.end();
      }
    },
    async prepare(config, { onStep, signal }) {
      const resolved = await resolveReferences(config, secrets);
      onStep({ step: 'start' });
      await containerStore.ensure(resolved.config);
      onStep({ step: 'ready' });
      try {
        return await upstreams.prepare(config, signal);
      } catch (error) {
        throw signal.aborted ? calledOff('ready') : await explain(error);
      }
    },
  };

  async function explain(error: unknown): Promise<Failure> {
    const failure = toFailure(error);
    const { logTail = [], hint } = failure instanceof StartFailure ? failure : {};
    if (failure.code === 'upstream_timeout') {
      return provisionFailed('ready', failure.message, { status: 504, logTail });
    }
    if (failure.code !== 'upstream_unavailable') return failure;
    const problem = await containers.problem();
    if (problem !== undefined) return noEngine(problem);
    const exitCode = failure.details?.exit_code;
    return provisionFailed('ready', sentenceOf(failure, hint), {
      status: 422,
      logTail,
      outOfMemory: failure.details?.out_of_memory === true,
      exitCode: typeof exitCode === 'number' ? exitCode : undefined,
    });
  }
}

function sentenceOf({ message, details }: Failure, hint: string | undefined): string {
  const { exit_code: exitCode, out_of_memory: ranOutOfMemory } = details ?? {};
  if (typeof exitCode !== 'number' || ranOutOfMemory === true) return message;
  const what = `The image ended with exit code ${exitCode} before it answered as an MCP server.`;
  return hint === undefined ? what : `${what} ${hint}`;
}

function registryStalled(waitedMs: number): Failure {
  const sentence = `The registry sent nothing for ${Math.round(waitedMs / 1000)} s; try again.`;
  return provisionFailed('pull', sentence, { status: 502 });
}

/** A signal that aborts with `signal`, or when `renew` was not called for `timeoutMs`. */
function createStallTimer(timeoutMs: number, other: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timer = setTimeout(abort, timeoutMs);
  if (other.aborted) abort();
  other.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    renew() {
      clearTimeout(timer);
      timer = setTimeout(abort, timeoutMs);
    },
    end() {
      clearTimeout(timer);
      other.removeEventListener('abort', abort);
    },
  };
}
