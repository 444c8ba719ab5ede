import type { Failure } from './failure.ts';

/** Facts about this process that handlers show or apply. */
export interface Service {
  readonly version: string;
  readonly defaultGroup: string;
  /** Base addresses that people and agents use, without a trailing slash. */
  readonly gatewayUrl: () => string;
  readonly managerUrl: () => string;
  /** Agents must send `GATEWAY_TOKEN`. */
  readonly gatewayNeedsToken: boolean;
  /** The `gateway` command as people type it in a terminal of this machine. */
  readonly gatewayCommand: () => string;
  /** Where the group files are, as the setting names it, or absolute where the service was started elsewhere. */
  readonly groupsDir: string;
  readonly maxBodyBytes: number;
  readonly allowedImages: readonly string[];
  /** Undefined when ready now; else the reason in a sentence. Queries the database. */
  readonly notReadyBecause: () => Promise<string | undefined>;
  /** The refusal of requests until the stored state was read once. */
  readonly notLoaded: () => Failure;
}

/** How much body the manager API reads (contract section 3, Bodies). */
export const managerBodyBytes = 1_048_576;
