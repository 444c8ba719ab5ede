import { Failure } from '../http/failure.ts';
import { deploymentLabel, factsOfLabels, type Labels, volumeLabels } from './container-labels.ts';
import type { Containers, VolumeFacts } from './containers.ts';
import { abortable, type DockerClient, isRefusal, unlessGone } from './node-docker-client.ts';

/** The engine's volumes: those that we made, and those whose names somebody gave us. */
export function createDockerVolumes(
  client: DockerClient,
  deploymentId: string,
): Pick<Containers, 'createVolume' | 'volume' | 'volumes' | 'removeVolume'> {
  const factsOf = (volume: { readonly Name: string; readonly Labels?: Labels | null }): VolumeFacts => {
    const labels = volume.Labels ?? {};
    const { server, sessionId } = factsOfLabels(labels);
    return { name: volume.Name, server, sessionId, isOurs: labels[deploymentLabel] === deploymentId };
  };

  return {
    async createVolume(volume) {
      const request = { Name: volume.name, Labels: volumeLabels(volume, deploymentId) };
      await client.run((docker, abortSignal) => docker.createVolume(abortable(request, abortSignal)));
    },
    async volume(name) {
      const info = await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getVolume(name).inspect(abortable({}, abortSignal))),
      );
      return info && factsOf(info);
    },
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
