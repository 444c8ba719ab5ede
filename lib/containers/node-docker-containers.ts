import { Failure } from '../http/failure.ts';
import type { Log } from '../observe/log.ts';
import { deploymentLabel } from './container-labels.ts';
import type { ContainerSpec, Containers } from './containers.ts';
import { createBody } from './create-body.ts';
import { isEngineUnavailable, provisionFailed } from './engine-failures.ts';
import { attachTo } from './node-docker-attachment.ts';
import {
  abortable,
  createDockerClient,
  type DockerClient,
  engineText,
  isRefusal,
} from './node-docker-client.ts';
import { followEvents } from './node-docker-events.ts';
import { factsOfImage, factsOfInspect, factsOfListed } from './node-docker-facts.ts';
import { followLogs, readLogs } from './node-docker-logs.ts';
import { createDockerNetwork, type DockerNetwork, ownContainerName } from './node-docker-network.ts';
import { pullImage } from './node-docker-pull.ts';

/**
 * The Docker Engine behind `Containers`. One rule stands above all: containers are addressed by full ids that the
 * engine gave us, never by names that came from outside (the client library does not escape them in URLs), and what
 * may be secret travels in request bodies only.
 */
export interface DockerContainersOptions {
  /** `DOCKER_HOST`; undefined: the machine's default socket. */
  readonly dockerHost?: string | undefined;
  readonly deploymentId: string;
  /** Servers' ports are then reached over the servers' network, and not published. */
  readonly managerRunsInContainer: boolean;
  /** Id or name of the container this service runs in; its host name by default. */
  readonly ownContainer?: string;
  /** The servers' own; `svc-mcp-<deploymentId>` by default. */
  readonly network?: string;
  readonly log: Log;
}

const problemLimitMs = 1900;
/** Creating and starting write to disk, and many may start at once. */
const slowLimitMs = 60_000;
const usualGraceSeconds = 5;

export function createDockerContainers(options: DockerContainersOptions): Containers {
  const { deploymentId, managerRunsInContainer, ownContainer = ownContainerName(), log } = options;
  const network = options.network ?? `svc-mcp-${deploymentId}`;
  const client = createDockerClient(options.dockerHost);
  const bridge = createDockerNetwork({
    ...{ client, deploymentId, log, name: network },
    ownContainer: managerRunsInContainer ? ownContainer : undefined,
  });
  const create = createCreate(client, bridge, {
    deploymentId,
    network,
    isPublished: !managerRunsInContainer,
  });
  return {
    problem: () => problemOf(client),
    pull: createPull(client, log),
    image: (image) =>
      unlessGone(async () => {
        const info = await client.run((docker, abortSignal) =>
          docker.getImage(image).inspect(abortable({}, abortSignal)),
        );
        return factsOfImage(info);
      }),
    create,
    start: (id) => start(client, bridge, id),
    stop: (id, graceSeconds) => stop(client, id, graceSeconds),
    async remove(id) {
      await unlessGone(() =>
        client.run(
          (docker, abortSignal) => docker.getContainer(id).remove({ force: true, v: true, abortSignal }),
          slowLimitMs,
        ),
      );
    },
    async keepRunning(id) {
      const change = { RestartPolicy: { Name: 'unless-stopped' } };
      await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getContainer(id).update(abortable(change, abortSignal))),
      );
    },
    rename: (id, name) => rename(client, id, name),
    inspect: (id) =>
      unlessGone(async () => {
        const info = await client.run((docker, abortSignal) =>
          docker.getContainer(id).inspect({ abortSignal }),
        );
        return factsOfInspect(info, network);
      }),
    async list() {
      const filters = { label: [`${deploymentLabel}=${deploymentId}`] };
      const listed = await client.run((docker, abortSignal) =>
        docker.listContainers({ all: true, filters, abortSignal }),
      );
      return listed.map(factsOfListed);
    },
    attach: (id) => attachTo(client, id),
    logs: (id, tail, stream) => readLogs(client, id, tail, stream),
    followLogs: (id, stream, onLine, signal) => followLogs(client, id, stream, onLine, signal),
    follow(onEvent, onGap, signal) {
      void followEvents({ client, deploymentId, onEvent, onGap, signal });
    },
  };
}

async function problemOf(client: DockerClient): Promise<string | undefined> {
  try {
    await client.run((docker) => docker.ping(), problemLimitMs);
    return undefined;
  } catch (error) {
    return isEngineUnavailable(error)
      ? 'The container engine does not answer.'
      : 'The container engine is in trouble.';
  }
}

function createPull(client: DockerClient, log: Log): Containers['pull'] {
  return async (image, onProgress, signal) => {
    const problem = await pullImage(client, image, onProgress, signal);
    if (problem === undefined) return;
    const reason = String(problem.failure.cause);
    const local = await unlessGone(() =>
      client.run((docker, abortSignal) => docker.getImage(image).inspect(abortable({}, abortSignal))),
    );
    // One that was built here was never in a registry.
    const isUsable = local !== undefined && (problem.isUnreachable || (local.RepoDigests ?? []).length === 0);
    log.warn(
      { image, reason, local: isUsable },
      isUsable ? 'The local image is used.' : problem.failure.message,
    );
    if (!isUsable) throw problem.failure;
  };
}

function createCreate(
  client: DockerClient,
  bridge: DockerNetwork,
  options: Parameters<typeof createBody>[1],
): (spec: ContainerSpec) => Promise<string> {
  return async (spec) => {
    if (spec.network === 'bridge') await bridge.ensure();
    try {
      const container = await client.run((docker, abortSignal) => {
        // The library's way to keep the body, with all variables, out of the URL; its types do not know it.
        const request = { _query: { name: spec.name }, _body: createBody(spec, options), abortSignal };
        return docker.createContainer(request as Parameters<typeof docker.createContainer>[0]);
      }, slowLimitMs);
      return container.id;
    } catch (error) {
      if (isRefusal(error, 409)) throw nameTaken(spec.name, error);
      throw refused('cannot be created', error);
    }
  };
}

async function start(client: DockerClient, bridge: DockerNetwork, id: string): Promise<void> {
  const begin = () =>
    client.run((docker, abortSignal) => docker.getContainer(id).start({ abortSignal }), slowLimitMs);
  try {
    await begin();
  } catch (error) {
    if (isRefusal(error, 304)) return;
    if (!/network .* not found/i.test(engineText(error))) throw refused('cannot be started', error);
    bridge.forget();
    await bridge.ensure();
    await begin().catch((again: unknown) => {
      throw refused('cannot be started', again);
    });
  }
}

async function stop(client: DockerClient, id: string, graceSeconds = usualGraceSeconds): Promise<void> {
  try {
    await client.run(
      (docker, abortSignal) => docker.getContainer(id).stop({ t: graceSeconds, abortSignal }),
      graceSeconds * 1000 + slowLimitMs,
    );
  } catch (error) {
    if (!isRefusal(error, 304, 404)) throw error;
  }
}

async function rename(client: DockerClient, id: string, name: string): Promise<void> {
  try {
    await client.run((docker, abortSignal) =>
      docker.getContainer(id).rename(abortable({ name }, abortSignal)),
    );
  } catch (error) {
    throw isRefusal(error, 409) ? nameTaken(name, error) : error;
  }
}

async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
}

function nameTaken(name: string, cause: unknown): Failure {
  return new Failure('conflict', `A container named \`${name}\` exists already; remove or rename it.`, {
    cause,
  });
}

/** A missing program, a user that the image does not know, limits that the engine cannot set: what was asked for. */
function refused(what: string, error: unknown): unknown {
  if (error instanceof Failure) return error;
  return provisionFailed(422, 'start', `The container ${what}; the log says why.`, engineText(error));
}
