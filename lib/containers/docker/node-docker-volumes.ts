import { Failure } from '../../failure.ts';
import { deploymentLabel, factsOfLabels, type Labels, volumeLabels } from '../container-labels.ts';
import { nameAside } from '../container-names.ts';
import type { Containers, VolumeFacts } from '../containers.ts';
import { abortable, type DockerClient, isRefusal, unlessGone } from './node-docker-client.ts';
import type { ComposeProject } from './node-own-container.ts';

/** The engine's volumes: those that we made, and those that a config names. */
export function createDockerVolumes(
  client: DockerClient,
  deploymentId: string,
  project: ComposeProject,
): Pick<Containers, 'createVolume' | 'volume' | 'volumes' | 'removeVolume'> {
  const factsOf = (volume: { readonly Name: string; readonly Labels?: Labels | null }): VolumeFacts => {
    const labels = volume.Labels ?? {};
    const { server, sessionId } = factsOfLabels(labels);
    return { name: volume.Name, server, sessionId, isOurs: labels[deploymentLabel] === deploymentId };
  };

  async function find(name: string): Promise<VolumeFacts | undefined> {
    const info = await unlessGone(() =>
      client.run((docker, abortSignal) => docker.getVolume(name).inspect(abortable({}, abortSignal))),
    );
    return info && factsOf(info);
  }

  return {
    async createVolume(volume) {
      const owner = { deploymentId, project: await project() };
      for (const name of [volume.name, nameAside(volume.name, deploymentId)]) {
        const request = { Name: name, Labels: volumeLabels(volume, owner) };
        // The engine reports success for a name that exists, regardless of the volume's owner.
        await client.run((docker, abortSignal) => docker.createVolume(abortable(request, abortSignal)));
        if ((await find(name))?.isOurs) return name;
      }
      const sentence = `A volume named \`${volume.name}\` exists already, and is not ours; remove it.`;
      throw new Failure('conflict', sentence);
    },
    volume: find,
    async volumes() {
      const filters = JSON.stringify({ label: [`${deploymentLabel}=${deploymentId}`] });
      const { Volumes: listed } = await client.run((docker, abortSignal) =>
        docker.listVolumes(abortable({ filters }, abortSignal)),
      );
      return (listed ?? []).map(factsOf);
    },
    async removeVolume(name) {
      try {
        await unlessGone(() =>
          client.run((docker, abortSignal) => docker.getVolume(name).remove(abortable({}, abortSignal))),
        );
      } catch (error) {
        if (!isRefusal(error, 409)) throw error;
        const sentence = `Volume \`${name}\` is in use by a container.`;
        throw new Failure('conflict', sentence, { cause: error });
      }
    },
  };
}
