import { pause, until } from '../async/wait.ts';
import { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Listeners } from '../server/listeners/node-listeners.ts';
import type { Step } from '../server/shutdown/run-steps.ts';
import type { Services } from './node-services.ts';

/**
 * How a service that serves comes to its end, step by step. Balancers hear of it first; until the calls under way are
 * done, or their time is over, everybody is served; then whoever still waits is told, and everything is closed. The
 * ports stay open until nothing but the stores is left, so that what comes is answered for as long as somebody can.
 */
export interface EndingOptions {
  readonly services: Services;
  readonly listeners: Listeners;
  /** `SHUTDOWN_SECONDS`: how long calls under way may take at most. */
  readonly shutdownSeconds: number;
  /** Ends children of ours that their servers' ends left, in sessions of their own. */
  readonly endLeftChildren: () => Promise<void>;
  readonly log: Log;
}

/** Between two requests of one who is at work; not more than there is for calls under way. */
const clientsLearnMs = 250;
/** Those that began just before they were refused get this long, since most calls are short. */
const lastCallsMs = 250;
/** Closing their input, SIGTERM after 1 s, SIGKILL after 2 s more, and as long again until they are gone. */
const serversMs = 6_000;

export function endingSteps(options: EndingOptions): Step[] {
  const { services, listeners, log } = options;
  const drainMs = options.shutdownSeconds * 1000;
  const isIdle = () => services.calls.count() === 0 && listeners.underWay() === 0;

  async function drain(): Promise<void> {
    // Nothing under way is no sign that nobody is there: the next requests of those who ask often are on their way, and
    // with the answers they learn that they have to connect anew.
    await pause(clientsLearnMs);
    if (!(await until(isIdle, drainMs))) log.warn({ calls: services.calls.count() }, 'calls will not finish');
  }

  async function refuse(): Promise<void> {
    listeners.refuse();
    services.calls.refuse(restarting('the call was not made'));
    await until(isIdle, lastCallsMs);
    services.calls.endAll(restarting('the call may or may not have run'));
  }

  return [
    { name: 'readiness', run: () => turnAway(services, listeners, log) },
    { name: 'calls under way', run: drain, limitMs: drainMs + 1_000 },
    { name: 'calls that are left', run: refuse },
    { name: 'questions to clients', run: services.clientRequests.close },
    { name: 'answers of streams', run: services.eventLog.flush },
    { name: 'servers', run: services.upstreams.close, limitMs: serversMs },
    { name: 'children of servers', run: options.endLeftChildren },
    { name: 'streams of answers', run: services.answerStreams.close },
    { name: 'event streams', run: services.streams.closeAll },
    { name: 'what streams kept', run: services.eventLog.flush },
    { name: 'ports', run: listeners.close, limitMs: 4_000 },
    { name: 'registry', run: services.registry.close },
    { name: 'groups', run: services.groups.close },
    { name: 'views', run: services.views.close },
    { name: 'resource updates', run: services.resourceUpdates.close },
    { name: 'offers', run: services.features.close },
    { name: 'acceptance', run: services.approvals.close },
    { name: 'containers', run: services.host.close },
    { name: 'calls of servers', run: services.serverCalls.close },
    { name: 'sessions', run: services.sessions.close },
    { name: 'secrets', run: services.secrets.close },
    { name: 'news', run: services.bus.close },
    { name: 'database', run: services.database.close },
  ];
}

/** Nothing new is begun by ourselves, and whoever can goes elsewhere. */
function turnAway(services: Services, listeners: Listeners, log: Log): void {
  log.info({ calls: services.calls.count() }, 'stopping');
  services.readiness.stop();
  listeners.leave();
  clearInterval(services.reaping);
  services.host.end();
  services.registry.end();
}

/** What those are told who call, or wait for an answer, when the time is over. */
function restarting(what: string): Failure {
  return new Failure('upstream_unavailable', `The gateway is restarting; ${what}.`);
}
