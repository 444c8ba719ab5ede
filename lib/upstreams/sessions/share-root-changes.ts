import type { Bus } from '../../events/bus.ts';
import type { Upstreams } from '../upstreams.ts';

/** A client tells one process that its roots are others; its servers may be connected to every other one too. */
export function shareRootChanges(upstreams: Upstreams, bus: Pick<Bus, 'subscribe' | 'publish'>): Upstreams {
  bus.subscribe(({ type, name }) => {
    if (type === 'roots_changed') upstreams.rootsChanged(name);
  });
  return {
    ...upstreams,
    rootsChanged: (sessionId) => bus.publish({ type: 'roots_changed', name: sessionId }),
  };
}
