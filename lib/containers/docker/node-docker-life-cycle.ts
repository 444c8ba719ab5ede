import { Failure } from '../../failure.ts';
import { deploymentLabel } from '../container-labels.ts';
import { nameAside } from '../container-names.ts';
import type { Containers } from '../containers.ts';
import { type CreateOptions, createBody } from './create-body.ts';
import { engineFailed, mountSourceMissing, startRefusal } from './engine-failures.ts';
import { abortable, type DockerClient, engineMessage, isRefusal, unlessGone } from './node-docker-client.ts';
import type { DockerNetwork } from './node-docker-network.ts';
import type { ComposeProject } from './node-own-container.ts';

/**
 * Operations that change a container. The engine's refusals become failures, unless the wanted state is reached
 * already.
 */
export type DockerLifeCycle = Pick<
  Containers,
  'create' | 'start' | 'stop' | 'remove' | 'keepRunning' | 'rename'
>;

/** Creating and starting write to disk, and many may start at once. */
const slowLimitMs = 60_000;
const usualGraceSeconds = 5;

export function createDockerLifeCycle(
  client: DockerClient,
  bridge: DockerNetwork,
  options: Omit<CreateOptions, 'project'> & { readonly project: ComposeProject },
): DockerLifeCycle {
  const underName = createUnderName(client, options.deploymentId);
  const begin = (id: string) =>
    client.run((docker, abortSignal) => docker.getContainer(id).start({ abortSignal }), slowLimitMs);

  return {
    async create(spec) {
      if (spec.network === 'bridge') await bridge.ensure();
      const body = createBody(spec, { ...options, project: await options.project() });
      try {
        const container = await underName(spec.name, (name) =>
          client.run((docker, abortSignal) => {
            // The library's way to send the body, with all variables, outside the URL; its types lack it.
            const request = { _query: { name }, _body: body, abortSignal };
            return docker.createContainer(request as Parameters<typeof docker.createContainer>[0]);
          }, slowLimitMs),
        );
        return container.id;
      } catch (error) {
        throw mountSourceMissing(engineMessage(error)) ?? refused('cannot be created', error);
      }
    },
    async start(id) {
      try {
        await begin(id).catch(async (error: unknown) => {
          if (!/network .* not found/i.test(engineMessage(error))) throw error;
          bridge.forget();
          await bridge.ensure();
          await begin(id);
        });
      } catch (error) {
        if (!isRefusal(error, 304)) throw refused('cannot be started', error);
      }
    },
    async stop(id, graceSeconds = usualGraceSeconds) {
      const limitMs = graceSeconds * 1000 + slowLimitMs;
      await unless([304, 404], () =>
        client.run(
          (docker, abortSignal) => docker.getContainer(id).stop({ t: graceSeconds, abortSignal }),
          limitMs,
        ),
      );
    },
    async remove(id) {
      const options = { force: true };
      // 409: the removal is already under way.
      await unless([404, 409], () =>
        client.run(
          (docker, abortSignal) => docker.getContainer(id).remove({ ...options, abortSignal }),
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
    async rename(id, name) {
      await underName(name, (given) =>
        client.run((docker, abortSignal) =>
          docker.getContainer(id).rename(abortable({ name: given }, abortSignal)),
        ),
      );
    },
  };
}

async function unless(statuses: readonly number[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRefusal(error, ...statuses)) throw error;
  }
}

/** A missing program, a user that the image does not have, limits that the engine cannot set: faults of the request. */
function refused(what: string, error: unknown): unknown {
  if (error instanceof Failure) return error;
  const text = engineMessage(error);
  return engineFailed(422, 'start', `The container ${what}: ${startRefusal(text)}.`, text);
}

/**
 * Gives a container its name, or the name with our mark when a container of another owner has that name.
 * @param give Sends the request to the engine, which refuses a name that is in use. Fails with `conflict` when a
 * container of ours has the name; `details.container_name` holds it.
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
