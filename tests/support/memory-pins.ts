import type { ImagePin, ImagePins } from '../../lib/containers/images/image-pins.ts';

/** The pins of servers' images without a database. */
export function createMemoryPins(): ImagePins {
  const pins = new Map<string, ImagePin>();
  return {
    of: async (server) => pins.get(server),
    all: async () => new Map(pins),
    set: async (server, pin) => void pins.set(server, pin),
    remove: async (server) => void pins.delete(server),
  };
}
