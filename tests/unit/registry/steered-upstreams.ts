import type { ListedTool } from '../../../lib/catalog/catalog.ts';
import { resolveReferences } from '../../../lib/config/secret-references.ts';
import type { ServerConfig } from '../../../lib/config/server-config.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Secrets } from '../../../lib/secrets/secrets.ts';
import { unavailable } from '../../../lib/upstreams/upstream-failures.ts';
import type { Candidate, Upstreams } from '../../../lib/upstreams/upstreams.ts';

/** How a server behaves when it is started: the tools it lists, in time, that it dies, or that it never answers. */
export type Behaviour = readonly string[] | Promise<readonly string[]> | 'dies' | 'hangs';

export interface SteeredUpstreams extends Upstreams {
  behave(server: string, behaviour: Behaviour): void;
  /** The next commit rejects with it. */
  failCommit(failure: Error): void;
  /** The config each server is reached by now. */
  readonly serving: ReadonlyMap<string, ServerConfig>;
  /** `prepare a`, `install a`, `commit a`, …: in order. */
  readonly steps: readonly string[];
  /** The configs, references resolved, that servers were started with. */
  readonly startedWith: readonly ServerConfig[];
}

/** Connections without servers: what a server does is said beforehand, what was asked of it can be read. */
export function createSteeredUpstreams(
  secrets: Secrets,
  onTools: (config: ServerConfig, tools: readonly ListedTool[]) => void,
): SteeredUpstreams {
  const behaviours = new Map<string, Behaviour>();
  const serving = new Map<string, ServerConfig>();
  const steps: string[] = [];
  const startedWith: ServerConfig[] = [];
  let commitFailure: Error | undefined;

  async function start(config: ServerConfig): Promise<readonly ListedTool[]> {
    const { config: resolved } = await resolveReferences(config, secrets);
    startedWith.push(resolved);
    const behaviour = behaviours.get(config.name) ?? ['echo'];
    if (behaviour === 'dies') throw unavailable(config.name, 'its process ended');
    if (behaviour === 'hangs') return new Promise(() => {});
    return (await behaviour).map((name) => ({
      name,
      definition: `{"name":"${name}","inputSchema":{"type":"object"}}`,
    }));
  }

  async function prepare(config: ServerConfig, signal?: AbortSignal): Promise<Candidate> {
    steps.push(`prepare ${config.name}`);
    const brokenOff = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(unavailable(config.name, 'its start was broken off')));
    });
    const tools = await Promise.race([start(config), brokenOff]);
    return {
      tools,
      async commit() {
        steps.push(`commit ${config.name}`);
        const failure = commitFailure;
        commitFailure = undefined;
        if (failure) throw failure;
        serving.set(config.name, config);
      },
      async discard() {
        steps.push(`discard ${config.name}`);
      },
    };
  }

  return {
    failCommit(failure) {
      commitFailure = failure;
    },
    behave: (server, behaviour) => void behaviours.set(server, behaviour),
    serving,
    steps,
    startedWith,
    prepare,
    install(config) {
      steps.push(`install ${config.name}`);
      serving.set(config.name, config);
    },
    async letGo(name) {
      steps.push(`let go ${name}`);
    },
    async remove(name, purpose = 'discard') {
      steps.push(purpose === 'stop' ? `stop ${name}` : `remove ${name}`);
      serving.delete(name);
    },
    async connect(name) {
      const config = serving.get(name);
      if (!config) throw new Failure('server_not_found', 'Not installed.');
      steps.push(`connect ${name}`);
      return await start(config);
    },
    async relist(name) {
      const config = serving.get(name);
      if (!config) throw new Failure('server_not_found', 'Not installed.');
      steps.push(`relist ${name}`);
      return await start(config);
    },
    async restart(name) {
      const config = serving.get(name);
      if (!config) throw new Failure('server_not_found', 'Not installed.');
      steps.push(`restart ${name}`);
      const tools = await start(config);
      onTools(config, tools);
      return tools;
    },
    request: async () => ({ result: '{}' }),
    setLogLevel() {},
    rootsChanged() {},
    status: () => undefined,
    logs: () => [],
    followLogs: () => () => {},
    endSession() {},
    activeSessions: () => [],
    close: async () => {},
  };
}
