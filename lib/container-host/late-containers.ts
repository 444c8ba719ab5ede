import type { Containers } from '../containers/containers.ts';

/**
 * An engine for parts that are put together before the database was reached, which knows the id of the deployment:
 * whatever is asked waits until then.
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
