import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerFeatures } from '../../catalog/features.ts';
import type { Log } from '../../log.ts';
import type { UnsolicitedNotification } from '../sessions/session-clients.ts';
import type { Connection } from './connect.ts';

/**
 * Lists a server again after its `list_changed`, and its features behind each connect, so that no start waits for them.
 * A listing that fails leaves the earlier one in force.
 */
export interface Listings {
  toolsChanged(): void;
  /** True when the notification was about prompts or resources, and is dealt with. */
  receive(notification: UnsolicitedNotification): boolean;
  /** Resolves when the features of this connection are listed, or could not be. */
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

const featureChanges = new Set([
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
    receive({ method }) {
      const isOurs = featureChanges.has(method);
      if (isOurs) features.request();
      return isOurs;
    },
    async listFeaturesOf(connection) {
      await listFeatures(connection).catch((error: unknown) => {
        // The end of a connection is reported elsewhere.
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
 * Many notifications in a row cause one listing, and listings keep a distance, so that a server which announces a change
 * at each listing cannot keep the gateway busy.
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

/** Long enough for a burst, short enough for agents to see a change within 200 ms. */
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
