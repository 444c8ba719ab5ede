import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { type DockerClient, unlessGone } from './node-docker-client.ts';

/**
 * Whether this process runs in a container that an engine started, so that it reaches other containers over a network
 * of theirs. Told without asking the engine, which may not be up yet: by Docker's mark, and by the host name that it
 * gives. One that was given another name reaches HTTP servers through ports published on its host's loopback.
 */
export function runsInContainer(): boolean {
  return existsSync('/.dockerenv') && /^[0-9a-f]{12}$/.test(hostname());
}

/** Engines give a container its short id as host name unless told otherwise. */
export function ownContainerName(): string {
  return hostname();
}

/**
 * The compose project that this service's own container belongs to; undefined where it belongs to none, or while the
 * engine does not say. Compose itself takes stacks of one project on one engine for the same, so this is what an
 * installation is called there, whatever becomes of its database.
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
