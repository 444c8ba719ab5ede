import type { Containers } from '../containers/containers.ts';
import { containersElsewhere } from '../containers/images/provision-steps.ts';

/**
 * The engine for a process that may have lost the ownership of the containers without noticing: every change is
 * refused, with `provision_failed`, unless the ownership is confirmed right before. Reads are not.
 *
 * @param whyNot See `AbsentOwner`; absent: another process is the owner.
 */
export function createOwnedContainers(
  containers: Containers,
  isConfirmed: () => Promise<boolean>,
  whyNot?: () => Promise<string>,
): Containers {
  function asOwner<Given extends unknown[], Result>(act: (...given: Given) => Promise<Result>) {
    return async (...given: Given): Promise<Result> => {
      if (!(await isConfirmed())) throw containersElsewhere(await whyNot?.());
      return await act(...given);
    };
  }

  return {
    ...containers,
    create: asOwner(containers.create),
    start: asOwner(containers.start),
    stop: asOwner(containers.stop),
    remove: asOwner(containers.remove),
    keepImages: asOwner(containers.keepImages),
    createVolume: asOwner(containers.createVolume),
    removeVolume: asOwner(containers.removeVolume),
    keepRunning: asOwner(containers.keepRunning),
    rename: asOwner(containers.rename),
    attach: asOwner(containers.attach),
  };
}

/**
 * An engine for services that are created before the database has provided the deployment's id: requests wait until
 * then.
 */
export function createLateContainers(opened: Promise<Containers>): Containers {
  return {
    problem: async () => (await opened).problem(),
    pull: async (...given) => (await opened).pull(...given),
    image: async (...given) => (await opened).image(...given),
    registryDigest: async (...given) => (await opened).registryDigest(...given),
    create: async (...given) => (await opened).create(...given),
    start: async (...given) => (await opened).start(...given),
    stop: async (...given) => (await opened).stop(...given),
    remove: async (...given) => (await opened).remove(...given),
    changes: async (...given) => (await opened).changes(...given),
    isMadeLike: async (...given) => (await opened).isMadeLike(...given),
    keepImages: async (...given) => (await opened).keepImages(...given),
    createVolume: async (...given) => (await opened).createVolume(...given),
    volume: async (...given) => (await opened).volume(...given),
    volumes: async () => (await opened).volumes(),
    removeVolume: async (...given) => (await opened).removeVolume(...given),
    keepRunning: async (...given) => (await opened).keepRunning(...given),
    rename: async (...given) => (await opened).rename(...given),
    inspect: async (...given) => (await opened).inspect(...given),
    list: async () => (await opened).list(),
    attach: async (...given) => (await opened).attach(...given),
    logs: async (...given) => (await opened).logs(...given),
    followLogs: async (...given) => (await opened).followLogs(...given),
    follow: (...given) => void opened.then((containers) => containers.follow(...given)),
  };
}
