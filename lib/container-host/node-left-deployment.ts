import { deploymentLabel, type Labels, projectLabel } from '../containers/container-labels.ts';
import { abortable, createDockerClient } from '../containers/docker/node-docker-client.ts';
import { createComposeProject } from '../containers/docker/node-own-container.ts';

export interface LeftDeploymentOptions {
  /** `DOCKER_HOST`; undefined: the machine's default socket. */
  readonly dockerHost?: string | undefined;
  /** Id or name of the container this service runs in; its host name by default. */
  readonly ownContainer?: string;
}

interface Labelled {
  readonly Labels?: Labels | null;
}

/**
 * The id that an earlier database of this installation gave to existing containers, volumes and networks: those of the
 * same compose project are adopted with the id. Undefined when there are none, outside a compose project, and when the
 * engine does not answer.
 */
export async function findLeftDeployment(options: LeftDeploymentOptions): Promise<string | undefined> {
  const client = createDockerClient(options.dockerHost);
  const project = await createComposeProject(client, options.ownContainer)();
  if (project === undefined) return undefined;
  const label = [`${projectLabel}=${project}`];
  const filters = JSON.stringify({ label });
  // Data first: of several ids, that of the volumes matters.
  const listings: readonly (() => Promise<readonly Labelled[]>)[] = [
    () =>
      client.run(async (docker, signal) => {
        const { Volumes: volumes } = await docker.listVolumes(abortable({ filters }, signal));
        return volumes ?? [];
      }),
    () =>
      client.run((docker, abortSignal) =>
        docker.listContainers({ all: true, filters: { label }, abortSignal }),
      ),
    () => client.run((docker, signal) => docker.listNetworks(abortable({ filters: { label } }, signal))),
  ];
  for (const list of listings) {
    const found = await list().catch((): readonly Labelled[] => []);
    const id = found.map(({ Labels: labels }) => labels?.[deploymentLabel]).find(Boolean);
    if (id !== undefined) return id;
  }
  return undefined;
}
