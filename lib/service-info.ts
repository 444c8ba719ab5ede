import type { Failure } from './failure.ts';

/** Facts about this process that handlers show or obey. */
export interface ServiceInfo {
  readonly version: string;
  readonly defaultGroup: string;
  /** Base addresses that people and agents use, without a trailing slash. */
  readonly gatewayUrl: () => string;
  readonly managerUrl: () => string;
  /** Agents must name `GATEWAY_TOKEN`. */
  readonly gatewayNeedsToken: boolean;
  /** What people type in a terminal of this machine for the `gateway` command. */
  readonly gatewayCommand: () => string;
  /** Where the group files are, as the setting names it, or absolute where the service was started elsewhere. */
  readonly groupsDir: string;
  readonly maxBodyBytes: number;
  readonly allowedImages: readonly string[];
  /** Undefined when ready now; else why not, in a sentence. Asks the database. */
  readonly notReadyBecause: () => Promise<string | undefined>;
  /** What whoever asks is told until everything that is stored was read once. */
  readonly notLoaded: () => Failure;
}

/** How much body the manager API reads (contract section 3, Bodies). */
export const managerBodyBytes = 1_048_576;
