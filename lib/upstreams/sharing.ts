import type { UpstreamRequest } from './upstreams.ts';

/**
 * Who uses a shared connection at this moment, and whether two sessions may use it at once. They may, until the
 * server turns out to be one that asks clients something: then a question could be anybody's, so calls that overlap
 * are kept apart if one of the sessions can be asked at all.
 */
export interface Sharing {
  /** The connection begins with this call; to be left when the call is over. */
  enter(request: Sharer): Place;
  leave(place: Place): void;
  mustStayApart(request: Sharer): boolean;
  onAsksBack(): void;
}

/** Emptied when it is left: see `emptying-map.ts`. */
export interface Place {
  sharer: Sharer | undefined;
}

type Sharer = Pick<UpstreamRequest, 'sessionId' | 'caller'>;

export function createSharing(): Sharing {
  const places = new Set<Place>();
  let asksBack = false;

  return {
    enter(request) {
      const place = { sharer: request };
      places.add(place);
      return place;
    },
    leave(place) {
      place.sharer = undefined;
      places.delete(place);
    },
    mustStayApart(request) {
      if (!asksBack) return false;
      for (const { sharer: other } of places) {
        if (other === undefined || other.sessionId === request.sessionId) continue;
        if (other.caller?.canAnswer === true || request.caller?.canAnswer === true) return true;
      }
      return false;
    },
    onAsksBack() {
      asksBack = true;
    },
  };
}
