/**
 * A KV version 2 store as Vault and OpenBao document it: every write makes a version, check-and-set compares with the
 * newest one, deleting hides a version and keeps its number, destroying empties it. Answers are status and body.
 */
export interface VaultReply {
  readonly status: number;
  /** The answer's `data`; or a whole body that carries `errors`. */
  readonly data?: unknown;
  readonly errors?: readonly string[];
}

interface Version {
  data: unknown;
  readonly created_time: string;
  deletion_time: string;
  destroyed: boolean;
}

export interface FakeVaultStore {
  readData(path: string, version: number): VaultReply;
  writeData(path: string, body: unknown): VaultReply;
  deleteNewest(path: string): VaultReply;
  change(action: 'delete' | 'undelete' | 'destroy', path: string, versions: readonly number[]): VaultReply;
  readMetadata(path: string): VaultReply;
  deleteMetadata(path: string): VaultReply;
  list(folder: string): VaultReply;
}

const keptVersions = 10;
const nothing: VaultReply = { status: 404, errors: [] };
const done: VaultReply = { status: 204 };

export function createFakeVaultStore(): FakeVaultStore {
  const secrets = new Map<string, Version[]>();
  const versionsOf = (path: string) => secrets.get(path) ?? [];
  const metadata = ({ data: _, ...facts }: Version, version: number) => ({
    ...facts,
    custom_metadata: null,
    version,
  });

  return {
    readData(path, wanted) {
      const version = wanted || versionsOf(path).length;
      const found = versionsOf(path)[version - 1];
      if (!found) return nothing;
      const isGone = found.destroyed || found.deletion_time !== '';
      return {
        status: isGone ? 404 : 200,
        data: { data: isGone ? null : found.data, metadata: metadata(found, version) },
      };
    },
    writeData(path, body) {
      const { data, options } = body as { data?: unknown; options?: { cas?: unknown } };
      if (data === undefined) return { status: 400, errors: ['no data provided'] };
      const versions = versionsOf(path);
      if (options?.cas !== undefined && Number(options.cas) !== versions.length) {
        return { status: 400, errors: ['check-and-set parameter did not match the current version'] };
      }
      const made = { data, created_time: new Date().toISOString(), deletion_time: '', destroyed: false };
      secrets.set(path, [...versions, made]);
      for (const old of versions.slice(0, -keptVersions + 1))
        Object.assign(old, { data: null, destroyed: true });
      return { status: 200, data: metadata(made, versions.length + 1) };
    },
    deleteNewest(path) {
      const newest = versionsOf(path).at(-1);
      if (newest) newest.deletion_time = new Date().toISOString();
      return done;
    },
    change(action, path, versions) {
      for (const version of versions.flatMap((number) => versionsOf(path)[number - 1] ?? [])) {
        if (action === 'destroy') Object.assign(version, { data: null, destroyed: true });
        else version.deletion_time = action === 'delete' ? new Date().toISOString() : '';
      }
      return done;
    },
    readMetadata(path) {
      const versions = versionsOf(path);
      if (versions.length === 0) return nothing;
      const facts = versions.map((version, at) => [at + 1, metadata(version, at + 1)]);
      const data = { cas_required: false, current_version: versions.length, max_versions: 0 };
      return { status: 200, data: { ...data, versions: Object.fromEntries(facts) } };
    },
    deleteMetadata(path) {
      secrets.delete(path);
      return done;
    },
    list(folder) {
      const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
      const inside = [...secrets.keys()].filter((path) => path.startsWith(prefix));
      const keys = inside.map((path) => path.slice(prefix.length).replace(/\/.*/, '/'));
      return keys.length === 0 ? nothing : { status: 200, data: { keys: [...new Set(keys)].sort() } };
    },
  };
}
