import { chmod, readFile, realpath, stat } from 'node:fs/promises';
import { writeDurably } from '../files/node-durable-file.ts';
import { Failure } from '../http/failure.ts';
import type { Log } from '../observe/log.ts';
import { editSecretFile, parseSecretFile, type SecretEdit } from './secret-file.ts';
import type { Secrets } from './secrets.ts';

/**
 * The `env_file` secrets method: one file, for its owner's eyes only. It is read anew each time, so a value that
 * was changed by hand counts at the next start of a server. No file means no secrets. It may be a link, as
 * mounted secrets are; its permissions are tightened whenever they can be.
 */
export function createEnvFile(options: { readonly path: string; readonly log: Log }): Secrets {
  const { path } = options;
  const tighten = createTighten(path, options.log);
  let lastEdit: Promise<void> = Promise.resolve();

  const readText = async () => {
    await tighten();
    return readOrEmpty(path);
  };
  const edit = (change: SecretEdit): Promise<void> => {
    const next = lastEdit.then(async () => {
      const before = await readText();
      const after = editSecretFile(before, change);
      if (after !== before) await writeDurably(await realpath(path).catch(() => path), after, 0o600);
    });
    lastEdit = next.catch(() => {});
    return next;
  };

  return {
    method: 'env_file',
    async read(names) {
      if (names.length === 0) return new Map();
      const values = parseSecretFile(await readText());
      return new Map([...values].filter(([name]) => names.includes(name)));
    },
    names: async () => new Set(parseSecretFile(await readText()).keys()),
    write: (values) => edit({ set: values }),
    remove: (names) => edit({ remove: names }),
    isReachable: () =>
      readText().then(
        () => true,
        () => false,
      ),
  };
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new Failure('storage_failed', 'The secrets file cannot be read.', { cause: error });
  }
}

/** A read-only mount cannot be changed, and its secrets are still wanted: say so once and go on. */
function createTighten(path: string, log: Log): () => Promise<void> {
  let isHopeless = false;
  return async () => {
    const found = await stat(path).catch(() => undefined);
    if (isHopeless || !found?.isFile() || (found.mode & 0o077) === 0) return;
    try {
      await chmod(path, 0o600);
      log.warn({}, 'The secrets file was readable for others; it is now for its owner only.');
    } catch {
      isHopeless = true;
      log.warn({}, 'The secrets file is readable for others, and its permissions cannot be changed.');
    }
  };
}
