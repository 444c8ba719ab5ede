import { type DockerClient, unlessGone } from './node-docker-client.ts';
import { ownContainerName } from './node-runs-in-container.ts';

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
