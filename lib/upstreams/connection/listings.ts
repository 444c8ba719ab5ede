import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerFeatures } from '../../catalog/features.ts';
import type { Log } from '../../log.ts';
import type { UnsolicitedNotification } from '../multiplexer/receiver.ts';
import type { Connection } from './connect.ts';

/**
 * Lists again what a connection's server says has changed, and what it offers besides tools behind each connect, so
 * that no start waits for that. A failed listing leaves what was listed before.
 */
export interface Listings {
  toolsChanged(): void;
  /** Whether the notification was about prompts or resources. */
  take(notification: UnsolicitedNotification): boolean;
  /** Resolves when what this connection offers is listed, or could not be. */
  listFeaturesOf(connection: Connection): Promise<void>;
  stop(): void;
}

export interface ListingsOptions {
  readonly server: string;
  readonly live: () => Connection | undefined;
  readonly now: () => number;
  readonly log: Log;
  readonly onTools: (tools: readonly ListedTool[]) => void;
  readonly onFeatures: (features: ServerFeatures) => void;
  readonly onToolsFailure: (error: unknown) => void;
}

const changesOfOffers = new Set([
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
]);

export function createListings(options: ListingsOptions): Listings {
  const { server, live, now, log, onTools, onFeatures } = options;
  const tools = createRelisting({
    now,
    list: async () => {
      const listed = await live()?.list();
      if (listed) onTools(listed);
    },
    onFailure: options.onToolsFailure,
  });
  const features = createRelisting({
    now,
    list: async () => listFeatures(live()),
    onFailure: warn,
  });

  async function listFeatures(connection: Connection | undefined): Promise<void> {
    const listed = await connection?.listFeatures();
    if (listed && connection === live()) onFeatures(listed);
  }

  function warn(error: unknown): void {
    log.warn({ server, error: String(error) }, 'What a server offers besides tools could not be listed.');
  }

  return {
    toolsChanged: tools.request,
    take({ method }) {
      const isOurs = changesOfOffers.has(method);
      if (isOurs) features.request();
      return isOurs;
    },
    async listFeaturesOf(connection) {
      await listFeatures(connection).catch((error: unknown) => {
        // One that is gone meanwhile is reported where it ended.
        if (connection === live()) warn(error);
      });
    },
    stop() {
      tools.stop();
      features.stop();
    },
  };
}

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
