import type { Failure } from './failure.ts';

/** Facts about this process that handlers show or obey. */
export interface ServiceInfo {
  readonly version: string;
  readonly defaultGroup: string;
  /** Base addresses for people and agents, without a trailing slash. */
  readonly gatewayUrl: () => string;
  readonly managerUrl: () => string;
  /** Agents must send `GATEWAY_TOKEN`. */
  readonly gatewayNeedsToken: boolean;
  /** The `svc-mcp` command as people type it in a terminal of this machine. */
  readonly gatewayCommand: () => string;
  /** The folder of group files, as its setting has it; absolute where the service was started in another folder. */
  readonly groupsDir: string;
  readonly maxBodyBytes: number;
  readonly allowedImages: readonly string[];
  readonly allowedUpstreams: readonly string[];
  /** Undefined when the service is ready; else the reason in a sentence. Asks the database. */
  readonly notReadyBecause: () => Promise<string | undefined>;
  /** The answer to requests until everything that is stored was read once. */
  readonly notLoaded: () => Failure;
}

/** The largest body that the manager API reads. */
export const managerBodyBytes = 1_048_576;
