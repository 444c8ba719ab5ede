import type { AvailableUpdateRow, AvailableUpdates } from '../../lib/containers/images/available-updates.ts';
import { type ImageDigests, namesIn } from '../../lib/containers/images/image-digests.ts';

interface MemoryRow extends AvailableUpdateRow {
  readonly askAt: number;
}

/** What registries said, and which newer images there are, without a database. */
export function createMemoryAvailableUpdates(
  now: () => number = Date.now,
): AvailableUpdates & { readonly rows: Map<string, MemoryRow> } {
  const rows = new Map<string, MemoryRow>();
  const current = (row: MemoryRow) => ({ ...row, isDue: row.askAt <= now() });
  return {
    rows,
    all: async () => new Map([...rows].map(([server, row]) => [server, current(row)])),
    async write({ server, reference, registryDigest, offered, askInMs }) {
      const before = rows.get(server);
      const isSame = before?.availableUpdate?.newDigest === offered?.newDigest;
      const seenAt = (isSame && before?.availableUpdate?.seenAt) || new Date(now());
      const askAt = askInMs === undefined ? (before?.askAt ?? now()) : now() + askInMs;
      const availableUpdate = offered && { ...offered, reference, seenAt };
      rows.set(server, {
        server,
        reference,
        registryDigest,
        availableUpdate: availableUpdate,
        askAt,
        isDue: false,
      });
      return { server, reference, registryDigest, availableUpdate: availableUpdate, isDue: askAt <= now() };
    },
  };
}

export function createMemoryDigests(): ImageDigests {
  const names = new Map<string, string>();
  return {
    nameOf: async (imageId) => names.get(imageId),
    async record(facts, reference) {
      const [name] = namesIn(facts, reference);
      if (name !== undefined) names.set(facts.id, name);
    },
  };
}
