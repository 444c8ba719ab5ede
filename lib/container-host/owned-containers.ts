import type { Containers } from '../containers/containers.ts';
import { containersElsewhere } from '../containers/images/provision-failures.ts';

/**
 * The engine for a process that may have ceased to look after the containers without knowing it: whatever touches one is
 * refused, with `provision_failed`, unless the ownership is confirmed right before. Looking is free.
 *
 * @param whyNot See `AbsentOwner`; absent: another process is known to be the owner.
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
