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
 * Starts a server's container with our attachment to it, and interprets its end. Shared by the transports that reach
 * servers in containers.
 */
export interface StartedContainer {
  readonly attachment: Attachment;
  /** Read after the start: the address differs at each start. */
  readonly facts: ContainerFacts;
  /** The server was running already, and may have answered another client before. */
  readonly wasRunning: boolean;
}

type Engine = Pick<Containers, 'attach' | 'start' | 'stop' | 'inspect'>;

/** Attaches before the start, so that no output is missed (docs/decisions/0009). */
export async function startAttached(
  containers: Engine,
  { facts }: LeasedContainer,
): Promise<StartedContainer> {
  const { id } = facts;
  const wasRunning = facts.status === 'running';
  // Between two restarts by the engine itself, attaching fails.
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

/**
 * The server has answered: from now on the engine itself restarts it after a crash or after the engine's own restart.
 */
export function leaveRunning(
  containers: Pick<Containers, 'keepRunning'>,
  leased: LeasedContainer,
  log: Log,
): void {
  const { id, server } = leased.facts;
  containers.keepRunning(id).catch((error: unknown) => {
    log.warn({ server, error }, 'The engine will not restart this container by itself.');
  });
}

export interface ContainerEnd extends ServerEnd {
  readonly reason: string;
}

const pollEveryMs = 25;
const mostPolls = 40;
/** In polls: how long the event of the end before a restart may take to arrive. */
const eventPolls = 8;

/**
 * Called as soon as the attachment has ended. The engine takes a moment to notice the end of a process, so its state is
 * polled until then.
 */
export async function endOf(
  containers: Engine,
  leased: LeasedContainer,
  { facts }: StartedContainer,
  memoryMb: number,
): Promise<ContainerEnd> {
  const staysDown = leased.staysDown();
  const ended = (exitCode: number | undefined, outOfMemory: boolean) => {
    const [why, code] = outOfMemory
      ? [`ran out of memory (its limit is ${memoryMb} MB): raise \`limits.memory_mb\``, exitCode ?? 137]
      : [exitCode === undefined ? 'was restarted' : `ended with exit code ${exitCode}`, exitCode];
    return { reason: `its container ${why}`, exitCode: code, outOfMemory, staysDown };
  };
  try {
    for (let poll = 1; poll <= mostPolls; poll++) {
      const now = await containers.inspect(facts.id);
      if (now === undefined) return { reason: 'its container was removed', staysDown };
      const isSameRun = now.startedAt?.getTime() === facts.startedAt?.getTime();
      if (now.exitCode !== undefined) {
        return ended(now.exitCode, now.outOfMemory === true || leased.lastEnd?.()?.outOfMemory === true);
      }
      const last = isSameRun ? undefined : leased.lastEnd?.();
      if (last !== undefined) return ended(last.exitCode, last.outOfMemory);
      if (!isSameRun && poll >= eventPolls) return ended(undefined, false);
      await pause(pollEveryMs);
    }
    return { reason: 'its container can no longer be reached', staysDown };
  } catch (error) {
    return { reason: startProblem(error), staysDown };
  }
}

/**
 * For the log: the engine's message, which may repeat the request's values.
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

/** Continues "the server is unavailable: …"; errors other than our failures are for the log. */
export function startProblem(error: unknown): string {
  if (!(error instanceof Failure)) return 'its container could not be started';
  return clauseOf(error.message);
}
