import { isAllowedUpstream } from '../config/allowed-upstreams.ts';
import type { ContainerDependencies } from '../containers/transports/container-life.ts';
import { ContainerHttpTransport } from '../containers/transports/node-container-http-transport.ts';
import { ContainerStdioTransport } from '../containers/transports/node-container-stdio-transport.ts';
import { withOwnProgram } from '../home/node-own-program.ts';
import { openLegacySse } from '../upstreams/transports/http/node-legacy-sse-transport.ts';
import { openStreamableHttp } from '../upstreams/transports/http/node-streamable-http-transport.ts';
import { ownerMarkers } from '../upstreams/transports/stdio/node-marked-processes.ts';
import {
  childEnvironment,
  createStdioOpener,
  type Environment,
} from '../upstreams/transports/stdio/node-stdio-transport.ts';
import { type Openers, type OpenTransport, unusableTransport } from '../upstreams/transports/transport.ts';

/** The transports of a Node process, for `createUpstreams`. */
export interface NodeOpenersOptions {
  /** Marks our child processes, so that `reapOrphans` finds those that a killed service left behind. */
  readonly installationId: string;
  /** `ALLOWED_UPSTREAMS`; empty: every address that is not refused when it is dialled. */
  readonly allowedUpstreams: readonly string[];
  /** That of this process by default; child processes get an allow-listed part of it. */
  readonly environment?: Environment;
  /** Absent: this process has no container engine, and servers with an `image` are unavailable. */
  readonly containers?: ContainerDependencies | undefined;
}

export function createNodeOpeners(options: NodeOpenersOptions): Openers {
  const { environment = process.env, allowedUpstreams } = options;
  const markers = ownerMarkers(options.installationId);
  const onlyAllowed =
    (open: OpenTransport): OpenTransport =>
    (config, events) => {
      const problem = addressProblem(config.url, allowedUpstreams);
      return problem ? unusableTransport(events, problem) : open(config, events);
    };
  const openStdio = createStdioOpener({
    environmentOf: (config) => childEnvironment(environment, config.env, markers),
  });
  return {
    stdio: (config, ...others) => openStdio(withOwnProgram(config), ...others),
    streamable_http: onlyAllowed(openStreamableHttp),
    sse: onlyAllowed(openLegacySse),
    container: options.containers && containerOpener(options.containers),
  };
}

function containerOpener(dependencies: ContainerDependencies): OpenTransport {
  return (config, events, sessionId) =>
    config.transport === 'stdio'
      ? new ContainerStdioTransport(config, events, dependencies, sessionId)
      : new ContainerHttpTransport(config, events, dependencies, sessionId);
}

function addressProblem(url: string | undefined, allowed: readonly string[]): string | undefined {
  if (url === undefined || !URL.canParse(url)) return 'its address is not a URL';
  if (isAllowedUpstream(new URL(url), allowed)) return undefined;
  return 'its address is not among the allowed ones (ALLOWED_UPSTREAMS)';
}
