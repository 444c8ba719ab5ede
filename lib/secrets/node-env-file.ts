import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createMutex } from '../async/mutex.ts';
import { pause } from '../async/wait.ts';
import { Failure } from '../failure.ts';
import {
  ChangedMeanwhile,
  isReadOnlyVolume,
  replaceFile,
  storageFailed,
} from '../files/node-durable-file.ts';
import { removeOldLeftovers } from '../files/node-leftovers.ts';
import { readNamedFile } from '../files/node-linked-file.ts';
import { absent, type FileStamp } from '../files/node-regular-file.ts';
import type { Log } from '../log.ts';
import { editSecretFile, parseSecretFile, type SecretEdit } from './secret-file.ts';
import type { Secrets } from './secrets.ts';

/**
 * The `env_file` secrets method: one file, readable by its owner only. The file is read anew each time, so that a value
 * changed by hand is effective at the next start of a server. No file means no secrets. The file may be a link, as
 * mounted secrets are: those of a volume that is exchanged, or may not be written, are only read. The file's permissions
 * are tightened whenever possible. Several processes may write it.
 */
export function createEnvFile(options: { readonly path: string; readonly log: Log }): Secrets {
  const { path } = options;
  const tighten = createTighten(path, options.log);
  const mutex = createMutex();

  const readNow = async () => {
    const found = await readSecretFile(path);
    const isTightened = !found.isSwapped && (await tighten());
    return isTightened ? await readSecretFile(path) : found;
  };
  const readText = async () => (await readNow()).text;

  /**
   * Repeats until a read shows the edit. A version that another process wrote since our read is not replaced, and a
   * version of ours that was overwritten in the same instant is written again.
   */
  const edit = async (change: SecretEdit): Promise<void> => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const found = await readNow();
      const after = editSecretFile(found.text, change);
      if (after === found.text) return;
      if (found.isSwapped) throw secretReadOnly(change);
      await replaceSecretFile(found, after).catch((error) => {
        throw isReadOnlyVolume(error) ? secretReadOnly(change) : storageFailed('The secrets file', error);
      });
      // Two processes that write at the same pace would overwrite each other again and again.
      if (attempt > 1) await pause(Math.random() * attempt * stepMs);
    }
    throw new Failure('storage_failed', 'The secrets file keeps changing; try again.');
  };

  return {
    method: 'env_file',
    async read(names) {
      if (names.length === 0) return new Map();
      const values = parseSecretFile(await readText());
      return new Map([...values].filter(([name]) => names.includes(name)));
    },
    names: async () => new Set(parseSecretFile(await readText()).keys()),
    write: (values) => mutex(() => edit({ set: values })),
    remove: (names) => mutex(() => edit({ remove: names })),
    isReachable: () =>
      readText().then(
        () => true,
        () => false,
      ),
  };
}

/** Another process that writes this often within one edit is out of control. */
const maxAttempts = 20;
const stepMs = 5;

interface FoundSecrets {
  /** The path of the file itself, behind a link if there is one. */
  readonly path: string;
  readonly isSwapped: boolean;
  readonly text: string;
  readonly stamp: FileStamp;
}

async function readSecretFile(link: string): Promise<FoundSecrets> {
  const { content, path, isSwapped } = await readNamedFile(link);
  if (content.kind === 'absent') return { path, isSwapped, text: '', stamp: absent };
  if (content.kind === 'text') return { path, isSwapped, ...content };
  throw new Failure('storage_failed', `The secrets file cannot be read. ${content.problem}`);
}

/** Leaves the file unchanged when it changed since it was read. Rejects with the system's error. */
async function replaceSecretFile({ path, stamp }: FoundSecrets, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await removeOldLeftovers(path);
    await replaceFile(path, text, stamp, 0o600);
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
  }
}

/** Names the variables; whoever gave their values has them. */
function secretReadOnly({ set, remove = [] }: SecretEdit): Failure {
  const secrets = [...(set?.keys() ?? remove)];
  const names = secrets.map((name) => `\`${name}\``).join(', ');
  const act =
    set === undefined ? `delete ${names} there` : `put ${names} there, with the value that you gave`;
  return new Failure('secret_read_only', `The secrets file is managed elsewhere: ${act}.`, {
    details: { secrets },
  });
}

/**
 * Resolves with whether the file was changed. A read-only mount cannot be, and its secrets are still needed: warns once
 * and continues.
 */
function createTighten(path: string, log: Log): () => Promise<boolean> {
  let isHopeless = false;
  return async () => {
    const found = await stat(path).catch(() => undefined);
    if (isHopeless || !found?.isFile() || (found.mode & 0o077) === 0) return false;
    try {
      await chmod(path, 0o600);
      log.warn({}, 'The secrets file was readable for others; it is now for its owner only.');
      return true;
    } catch {
      isHopeless = true;
      log.warn({}, 'The secrets file is readable for others, and its permissions cannot be changed.');
      return false;
    }
  };
}
