import { createMutex } from '../async/mutex.ts';
import { Failure } from '../failure.ts';
import type { Secrets } from './secrets.ts';
import { refused, toRecord, type VaultAnswer, type VaultClient } from './vault-client.ts';

/**
 * The `external_manager` secrets method: one secret of a KV version 2 store of HashiCorp Vault or OpenBao, whose keys
 * are our names. The secret is read anew each time. A write is a read and a check-and-set of the version read, so that
 * no other writer's change is lost; other keys retain their values and types. The store retains former versions,
 * removed values among them, for as long as its own settings say.
 */
export function createVaultSecrets(options: {
  readonly client: VaultClient;
  /** `<mount>/<path>`, or with a mount of several parts `<mount>/data/<path>`, as in the API. */
  readonly path: string;
}): Secrets {
  const { client } = options;
  const dataPath = toDataPath(options.path);
  const mutex = createMutex();

  const readSecret = async () => toVersion(await client.send('GET', dataPath));

  const edit = async (change: (data: Map<string, unknown>) => void): Promise<void> => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { data, version } = await readSecret();
      const before = JSON.stringify([...data]);
      change(data);
      if (JSON.stringify([...data]) === before) return;
      const body = { options: { cas: version }, data: Object.fromEntries(data) };
      if (isWritten(await client.send('POST', dataPath, body))) return;
    }
    throw new Failure('storage_failed', 'The secrets keep changing in the secrets manager; try again.');
  };

  return {
    method: 'external_manager',
    async read(names) {
      if (names.length === 0) return new Map();
      const { data } = await readSecret();
      const known = names.filter((name) => (data.get(name) ?? null) !== null);
      return new Map(known.map((name) => [name, toText(data.get(name))]));
    },
    async names() {
      const { data } = await readSecret();
      return new Set([...data].flatMap(([name, value]) => (value === null ? [] : [name])));
    },
    write: (values) =>
      mutex(() =>
        edit((data) => {
          for (const [name, value] of values) data.set(name, value);
        }),
      ),
    remove: (names) =>
      mutex(() =>
        edit((data) => {
          for (const name of names) data.delete(name);
        }),
      ),
    isReachable: () =>
      client.send('GET', 'sys/health').then(
        ({ status }) => healthy.has(status),
        () => false,
      ),
  };
}

/** Other processes that write this often between a read and its write are out of control. */
const maxAttempts = 20;

/** Active, standby, and the two kinds of secondaries, all of which answer or forward; sealed is 503, bare 501. */
const healthy: ReadonlySet<number> = new Set([200, 429, 472, 473]);

function toDataPath(path: string): string {
  if (path.includes('/data/')) return path;
  const slash = path.indexOf('/');
  return `${path.slice(0, slash)}/data/${path.slice(slash + 1)}`;
}

interface SecretVersion {
  readonly data: Map<string, unknown>;
  /** The version for the check-and-set; 0 for a secret that was never written. */
  readonly version: number;
}

/**
 * 404 has three meanings: with errors, no such store; with metadata, the newest version was deleted and its number
 * still counts; with neither, nothing was ever written.
 */
function toVersion(answer: VaultAnswer): SecretVersion {
  const { status, data, errors } = answer;
  if (status === 404 && errors.length === 0 && data === undefined) return { data: new Map(), version: 0 };
  const version = toRecord(data?.metadata)?.version;
  if ((status === 200 || status === 404) && typeof version === 'number') {
    return { data: new Map(Object.entries(toRecord(data?.data) ?? {})), version };
  }
  throw status === 200 ? refused({ ...answer, status: 404 }) : refused(answer);
}

/** False when another process wrote in between. */
function isWritten(answer: VaultAnswer): boolean {
  if (answer.status === 200) return true;
  if (answer.status === 400 && answer.errors.some((text) => text.includes('check-and-set'))) return false;
  throw refused(answer);
}

/** Values of other tools may have any JSON type; a program's environment has texts only. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
