import { pause } from '../async/pause.ts';
import { until } from '../async/until.ts';
import { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Doors } from '../server/listeners/node-doors.ts';
import type { Step } from '../server/shutdown/run-steps.ts';
import type { Parts } from './node-parts.ts';

/**
 * How a service that serves comes to its end, step by step. Balancers hear of it first; until the calls under way are
 * done, or their time is over, everybody is served; then whoever still waits is told, and everything is closed. The
 * ports stay open until nothing but the stores is left, so that what comes is answered for as long as somebody can.
 */
export interface EndingOptions {
  readonly parts: Parts;
  readonly doors: Doors;
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
  const { parts, doors, log } = options;
  const drainMs = options.shutdownSeconds * 1000;
  const isIdle = () => parts.calls.count() === 0 && doors.underWay() === 0;

  async function drain(): Promise<void> {
    // Nothing under way is no sign that nobody is there: the next requests of those who ask often are on their way, and
    // with the answers they learn that they have to connect anew.
    await pause(clientsLearnMs);
    if (!(await until(isIdle, drainMs))) log.warn({ calls: parts.calls.count() }, 'calls will not finish');
  }

  async function refuse(): Promise<void> {
    doors.refuse();
    parts.calls.refuse(restarting('the call was not made'));
    await until(isIdle, lastCallsMs);
    parts.calls.endAll(restarting('the call may or may not have run'));
  }

  return [
    { name: 'readiness', run: () => turnAway(parts, doors, log) },
    { name: 'calls under way', run: drain, limitMs: drainMs + 1_000 },
    { name: 'calls that are left', run: refuse },
    { name: 'questions to clients', run: parts.clientRequests.close },
    { name: 'answers of streams', run: parts.eventLog.flush },
    { name: 'servers', run: parts.upstreams.close, limitMs: serversMs },
    { name: 'children of servers', run: options.endLeftChildren },
    { name: 'streams of answers', run: parts.answerStreams.close },
    { name: 'event streams', run: parts.streams.closeAll },
    { name: 'what streams kept', run: parts.eventLog.flush },
    { name: 'ports', run: doors.close, limitMs: 4_000 },
    { name: 'registry', run: parts.registry.close },
    { name: 'groups', run: parts.groups.close },
    { name: 'views', run: parts.views.close },
    { name: 'resource updates', run: parts.resourceUpdates.close },
    { name: 'offers', run: parts.offers.close },
    { name: 'acceptance', run: parts.acceptance.close },
    { name: 'containers', run: parts.host.close },
    { name: 'calls of servers', run: parts.serverCalls.close },
    { name: 'sessions', run: parts.sessions.close },
    { name: 'secrets', run: parts.secrets.close },
    { name: 'news', run: parts.bus.close },
    { name: 'database', run: parts.database.close },
  ];
}

/** Nothing new is begun by ourselves, and whoever can goes elsewhere. */
function turnAway(parts: Parts, doors: Doors, log: Log): void {
  log.info({ calls: parts.calls.count() }, 'stopping');
  parts.readiness.stop();
  doors.leave();
  clearInterval(parts.reaping);
  parts.host.end();
  parts.registry.end();
}

/** What those are told who call, or wait for an answer, when the time is over. */
function restarting(what: string): Failure {
  return new Failure('upstream_unavailable', `The gateway is restarting; ${what}.`);
}
