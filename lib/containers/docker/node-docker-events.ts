import { createBackOff } from '../../async/back-off.ts';
import { pause } from '../../async/wait.ts';
import { createJsonLines } from '../../streams/lines.ts';
import { deploymentLabel, serverLabel } from '../container-labels.ts';
import type { ContainerEvent } from '../containers.ts';
import { abortable, type DockerClient } from './node-docker-client.ts';

/** Follows the engine's events of one deployment's containers until the signal aborts. */
export interface EventsOptions {
  readonly client: DockerClient;
  readonly deploymentId: string;
  readonly onEvent: (event: ContainerEvent) => void;
  readonly onGap: () => void;
  readonly signal: AbortSignal;
}

const actions = ['start', 'die', 'stop', 'kill', 'destroy', 'oom', 'restart', 'pause', 'unpause'] as const;

interface EngineEvent {
  readonly Action?: string;
  readonly Actor?: { readonly ID?: string; readonly Attributes?: Readonly<Record<string, string>> };
}

export async function followEvents(options: EventsOptions): Promise<void> {
  const { signal, onGap } = options;
  const backOff = createBackOff({ firstMs: 100, longestMs: 2000 });
  while (!signal.aborted) {
    const wasOpen = await followOnce(options);
    if (signal.aborted) return;
    if (wasOpen) {
      backOff.reset();
      onGap();
    }
    await pause(backOff.next(), signal);
  }
}

/** Resolves when the stream has ended: true if it had been opened. */
async function followOnce({ client, deploymentId, onEvent, onGap, signal }: EventsOptions): Promise<boolean> {
  const filters = {
    type: ['container' as const],
    label: [`${deploymentLabel}=${deploymentId}`],
    event: [...actions],
  };
  try {
    const stream = await client.open((docker) => docker.getEvents(abortable({ filters }, signal)));
    const ended = new Promise<void>((resolve) => stream.once('close', resolve));
    stream.on('error', () => {});
    const read = createJsonLines<EngineEvent>((event) => {
      const known = toContainerEvent(event);
      if (known) onEvent(known);
    });
    stream.on('data', read);
    onGap();
    await ended;
    return true;
  } catch {
    return false;
  }
}

function toContainerEvent({ Action, Actor }: EngineEvent): ContainerEvent | undefined {
  const action = actions.find((known) => known === Action);
  if (action === undefined || Actor?.ID === undefined) return undefined;
  const { [serverLabel]: server = '', exitCode, signal } = Actor.Attributes ?? {};
  return {
    id: Actor.ID,
    server,
    action,
    exitCode: exitCode === undefined ? undefined : Number(exitCode),
    ...(signal === undefined ? {} : { signal: Number(signal) }),
  };
}
