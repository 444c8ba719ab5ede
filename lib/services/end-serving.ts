import type { ClosingStack } from '../async/closing-stack.ts';
import { pause, until } from '../async/wait.ts';
import { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Listeners } from '../server/listeners/node-listeners.ts';
import type { Services } from './node-services.ts';

export interface ServingServices extends Pick<Services, 'stopReaping'> {
  readonly calls: Pick<Services['calls'], 'count' | 'refuse' | 'endAll'>;
  readonly readiness: Pick<Services['readiness'], 'isStarted' | 'stop'>;
  readonly host: Pick<Services['host'], 'end'>;
  readonly registry: Pick<Services['registry'], 'end'>;
  readonly relayProcesses: Pick<Services['relayProcesses'], 'end'>;
  readonly clientRequests: Pick<Services['clientRequests'], 'close'>;
  readonly eventLog: Pick<Services['eventLog'], 'flush'>;
  readonly upstreams: Pick<Services['upstreams'], 'close'>;
  readonly answerStreams: Pick<Services['answerStreams'], 'close'>;
  readonly streams: Pick<Services['streams'], 'sendElsewhere' | 'closeAll'>;
}

export interface EndServingOptions {
  readonly services: ServingServices;
  readonly listeners: Pick<Listeners, 'leave' | 'refuse' | 'close' | 'underWay'>;
  /** `DRAIN_SECONDS`: how long everything is served, also when nothing is under way, while balancers learn of the end. */
  readonly drainSeconds: number;
  /** `SHUTDOWN_SECONDS`: the longest that calls under way may take after that. */
  readonly shutdownSeconds: number;
  /** Ends child processes that outlived their server, in sessions of their own. */
  readonly endLeftChildren: () => Promise<void>;
  readonly log: Log;
}

/** The time between two requests of a busy client; not more than there is for calls under way. */
const clientsLearnMs = 250;
/** For calls that began just before calls were refused: most calls are short. */
const lastCallsMs = 250;
/** Closing the input, SIGTERM after 1 s, SIGKILL after 2 s more, and as long again until the processes are gone. */
const serversMs = 6_000;
const portsMs = 4_000;

/**
 * How a service stops serving, from the first step to the last (docs/decisions/0014, 0028): balancers learn first; all
 * requests are served until the calls under way are done or their time is over; the clients that still wait are answered,
 * and servers, streams and ports are closed. Ports close last, so that requests are answered for as long as possible.
 * Added to `closing` after everything that requests need.
 */
export function endServing(closing: ClosingStack, options: EndServingOptions): void {
  const { services, listeners, log } = options;
  const drainMs = options.drainSeconds * 1000;
  const callsMs = options.shutdownSeconds * 1000;
  const isIdle = () => services.calls.count() === 0 && listeners.underWay() === 0;

  /** Streams end halfway: balancers have learned by then, and this process still serves whoever is sent here all the same. */
  async function drain(): Promise<void> {
    // Nobody was sent to a process that was never ready.
    if (drainMs === 0 || !services.readiness.isStarted()) return;
    await pause(drainMs / 2);
    services.streams.sendElsewhere();
    await pause(drainMs / 2);
  }

  async function finishCalls(): Promise<void> {
    // Also without calls under way: busy clients are about to send the next one, and learn from its answer to connect anew.
    await pause(clientsLearnMs);
    if (!(await until(isIdle, callsMs))) log.warn({ calls: services.calls.count() }, 'calls will not finish');
  }

  async function refuse(): Promise<void> {
    listeners.refuse();
    services.calls.refuse(restarting('the call was not made'));
    await until(isIdle, lastCallsMs);
    services.calls.endAll(restarting('the call may or may not have run'));
  }

  const steps: Parameters<ClosingStack['add']>[] = [
    ['readiness', () => turnAway(options)],
    ['balancers', drain, { limitMs: drainMs + 1_000 }],
    ['what begins by itself', () => stopBeginning(options)],
    ['calls under way', finishCalls, { limitMs: callsMs + 1_000 }],
    ['calls that are left', refuse],
    ['questions to clients', services.clientRequests.close],
    ['answers of streams', services.eventLog.flush],
    ['servers', services.upstreams.close, { limitMs: serversMs }],
    ['children of servers', options.endLeftChildren],
    ['streams of answers', services.answerStreams.close],
    ['event streams', services.streams.closeAll],
    ['events of streams', services.eventLog.flush],
    ['ports', listeners.close, { limitMs: portsMs }],
  ];
  for (const step of steps.reverse()) closing.add(...step);
}

/** Clients connect to another process where there is one. */
function turnAway({ services, listeners, drainSeconds, log }: EndServingOptions): void {
  log.info({ calls: services.calls.count(), drainSeconds }, 'stopping');
  services.readiness.stop();
  listeners.leave();
}

/** This process begins nothing by itself any more. */
function stopBeginning({ services }: EndServingOptions): void {
  services.stopReaping();
  services.host.end();
  services.registry.end();
  void services.relayProcesses.end();
}

/** The answer to calls when the time is over. */
function restarting(outcome: string): Failure {
  return new Failure('upstream_unavailable', `The gateway is restarting; ${outcome}.`);
}
