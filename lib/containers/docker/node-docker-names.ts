import { Failure } from '../../failure.ts';
import { deploymentLabel } from '../container-labels.ts';
import { nameAside } from '../container-names.ts';
import { type DockerClient, isRefusal } from './node-docker-client.ts';

/**
 * Gives a container its name, or, where one that is not of this deployment has that name, the name with our mark.
 * @param give Asks the engine, which refuses a name that is taken.
 * Fails with `conflict` when ours has the name already; `details.container_name` says which name that is.
 */
export type UnderName = <Result>(name: string, give: (name: string) => Promise<Result>) => Promise<Result>;

export function createUnderName(client: DockerClient, deploymentId: string): UnderName {
  async function isForeign(name: string): Promise<boolean> {
    const filters = { name: [`^/${name}$`] };
    const found = await client.run((docker, abortSignal) =>
      docker.listContainers({ all: true, filters, abortSignal }),
    );
    const holder = found.find(({ Names }) => Names.includes(`/${name}`));
    return holder !== undefined && holder.Labels[deploymentLabel] !== deploymentId;
  }

  async function orTaken<Result>(name: string, giving: Promise<Result>): Promise<Result> {
    try {
      return await giving;
    } catch (error) {
      throw isRefusal(error, 409) ? nameTaken(name, error) : error;
    }
  }

  return async (name, give) => {
    try {
      return await give(name);
    } catch (error) {
      if (!isRefusal(error, 409)) throw error;
      if (!(await isForeign(name))) throw nameTaken(name, error);
      const aside = nameAside(name, deploymentId);
      return await orTaken(aside, give(aside));
    }
  };
}

function nameTaken(name: string, cause: unknown): Failure {
  const sentence = `A container named \`${name}\` exists already; remove or rename it.`;
  return new Failure('conflict', sentence, { details: { container_name: name }, cause });
}
