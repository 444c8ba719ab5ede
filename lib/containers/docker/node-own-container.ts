import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { type DockerClient, unlessGone } from './node-docker-client.ts';

/**
 * Whether this process runs in a container of an engine, so that it reaches other containers over their network.
 * Decided without the engine, which may not be up yet: by Docker's mark, and by the host name that Docker gives. A
 * container with another host name reaches HTTP servers through ports published on its host's loopback.
 */
export function runsInContainer(): boolean {
  return existsSync('/.dockerenv') && /^[0-9a-f]{12}$/.test(hostname());
}

/** Engines use a container's short id as its host name by default. */
export function ownContainerName(): string {
  return hostname();
}

/**
 * The compose project of this service's own container; undefined when it has none, or while the engine does not answer.
 * Compose treats stacks of one project on one engine as the same, so the project identifies an installation
 * independently of its database.
 */
export type ComposeProject = () => Promise<string | undefined>;

const composeLabel = 'com.docker.compose.project';
const limitMs = 1900;

export function createComposeProject(
  client: DockerClient,
  ownContainer: string = ownContainerName(),
): ComposeProject {
  let known: { readonly project: string | undefined } | undefined;

  async function read() {
    const info = await unlessGone(() =>
      client.run(
        (docker, abortSignal) => docker.getContainer(ownContainer).inspect({ abortSignal }),
        limitMs,
      ),
    );
    return { project: info?.Config.Labels?.[composeLabel] };
  }

  return async () => {
    known ??= await read().catch(() => undefined);
    return known?.project;
  };
}
