import { pause } from '../../async/wait.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import type { Log, LogFields } from '../../log.ts';
import { createRedaction } from '../../secrets/redaction.ts';
import { clauseOf } from '../../text/clause.ts';
import type { ServerEnd } from '../../upstreams/transports/transport.ts';
import type { Attachment, ContainerFacts, Containers } from '../containers.ts';
import type { LeasedContainer } from '../store/container-store.ts';

/**
 * How a server's container is brought to life with us attached to it, and what its end means. Shared by the
 * transports that reach servers in containers.
 */
export interface StartedContainer {
  readonly attachment: Attachment;
  /** Looked at after the start: its address is another one each time. */
  readonly facts: ContainerFacts;
  /** It ran already, and may have answered somebody before us. */
  readonly wasRunning: boolean;
}

type Engine = Pick<Containers, 'attach' | 'start' | 'stop' | 'inspect'>;

/** Attaches before the start, so that nothing is missed (docker.md section 2.2). */
export async function startAttached(
  containers: Engine,
  { facts }: LeasedContainer,
): Promise<StartedContainer> {
  const { id } = facts;
  const wasRunning = facts.status === 'running';
  // Between two attempts of the engine's own to restart it, nobody can attach.
  if (facts.status === 'restarting' || facts.status === 'paused') await containers.stop(id);
  const attachment = await containers.attach(id);
  try {
    if (!wasRunning) await containers.start(id);
    const started = await containers.inspect(id);
    if (started === undefined) throw new Failure('upstream_unavailable', 'Its container was removed.');
    return { attachment, facts: started, wasRunning };
  } catch (error) {
    attachment.detach();
    throw error;
  }
}

/** It has answered: from now on the engine itself brings it back after a crash or its own restart. */
export function leaveRunning(
  containers: Pick<Containers, 'keepRunning'>,
  held: LeasedContainer,
  log: Log,
): void {
  const { id, server } = held.facts;
  containers.keepRunning(id).catch((error: unknown) => {
    log.warn({ server, error }, 'The engine will not restart this container by itself.');
  });
}

export interface ContainerEnd extends ServerEnd {
  readonly reason: string;
}

const lookEveryMs = 25;
const mostLooks = 40;
/** So long the word of the end that went before a restart may be on its way. */
const looksForEvent = 8;

/**
 * To be asked as soon as the attachment has ended. The engine takes a moment to notice the end of a process, so it is
 * looked at until it has.
 */
export async function endOf(
  containers: Engine,
  held: LeasedContainer,
  { facts }: StartedContainer,
  memoryMb: number,
): Promise<ContainerEnd> {
  const staysDown = held.staysDown();
  const ended = (exitCode: number | undefined, outOfMemory: boolean) => {
    const [why, code] = outOfMemory
      ? [`ran out of memory (its limit is ${memoryMb} MB): raise \`limits.memory_mb\``, exitCode ?? 137]
      : [exitCode === undefined ? 'was restarted' : `ended with exit code ${exitCode}`, exitCode];
    return { reason: `its container ${why}`, exitCode: code, outOfMemory, staysDown };
  };
  try {
    for (let look = 1; look <= mostLooks; look++) {
      const now = await containers.inspect(facts.id);
      if (now === undefined) return { reason: 'its container was removed', staysDown };
      const isSameRun = now.startedAt?.getTime() === facts.startedAt?.getTime();
      if (now.exitCode !== undefined) {
        return ended(now.exitCode, now.outOfMemory === true || held.lastEnd?.()?.outOfMemory === true);
      }
      const last = isSameRun ? undefined : held.lastEnd?.();
      if (last !== undefined) return ended(last.exitCode, last.outOfMemory);
      if (!isSameRun && look >= looksForEvent) return ended(undefined, false);
      await pause(lookEveryMs);
    }
    return { reason: 'its container can no longer be reached', staysDown };
  } catch (error) {
    return { reason: startProblem(error), staysDown };
  }
}

/**
 * For the log: what the engine said, which may repeat what it was given.
 * @param config With its references resolved.
 */
export function startProblemFields(config: ServerConfig, error: unknown): LogFields {
  const redaction = createRedaction();
  redaction.hide([...Object.values(config.env), ...config.args, ...(config.entrypoint ?? [])]);
  const cause = error instanceof Failure ? error.cause : error;
  const text = cause instanceof Error ? cause.message : cause;
  const reason = text === undefined ? undefined : redaction.apply(String(text));
  return { server: config.name, problem: startProblem(error), reason };
}

/** Continues "the server is unavailable: …"; what no failure of ours explains is for the log. */
export function startProblem(error: unknown): string {
  if (!(error instanceof Failure)) return 'its container could not be started';
  return clauseOf(error.message);
}
