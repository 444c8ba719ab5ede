/**
 * Lists a server's tools again after `list_changed`. Many notifications in a row cause one listing, and a
 * server that announces a change at each listing cannot keep us busy: listings keep a distance.
 */
export interface Relisting {
  request(): void;
  stop(): void;
}

export interface RelistingOptions {
  readonly now: () => number;
  readonly list: () => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Long enough to catch a burst, short enough for agents to hear of a change within 200 ms. */
const debounceMs = 40;
const distanceMs = 500;

export function createRelisting(options: RelistingOptions): Relisting {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isListing = false;
  let isWantedAgain = false;
  let lastAt = Number.NEGATIVE_INFINITY;

  function request(): void {
    if (isListing) isWantedAgain = true;
    else timer ??= setTimeout(list, Math.max(debounceMs, lastAt + distanceMs - options.now()));
  }

  async function list(): Promise<void> {
    timer = undefined;
    isListing = true;
    lastAt = options.now();
    try {
      await options.list();
    } catch (error) {
      options.onFailure(error);
    }
    isListing = false;
    if (!isWantedAgain) return;
    isWantedAgain = false;
    request();
  }

  return {
    request,
    stop() {
      clearTimeout(timer);
      timer = undefined;
      isWantedAgain = false;
    },
  };
}
