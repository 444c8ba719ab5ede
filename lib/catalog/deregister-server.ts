import { noteRemoval } from './note-removal.ts';
import { removeOrphans } from './registered-secrets.ts';
import { type RegistryParts, serverNotFound } from './registry-parts.ts';
import { removeContainers } from './remove-containers.ts';
import { createUndoStack } from './undo-stack.ts';

/**
 * Removes one server for good: its container or process, its file, its row, and the secrets that it owns.
 * The file goes before the row, so nothing comes back at boot; when a step fails, the server is registered as before,
 * and starts anew with the next call.
 */
export async function deregisterServer(parts: RegistryParts, name: string): Promise<void> {
  const { catalog, upstreams, files, known, locks, log } = parts;
  if (!isKnown(parts, name)) throw serverNotFound(name);
  await locks.exclusive(name, async () => {
    if (!isKnown(parts, name)) throw serverNotFound(name);
    const config = known.current.get(name);
    await noteRemoval(parts, name);
    const undo = createUndoStack();
    try {
      await upstreams.remove(name);
      undo.push(async () => config && upstreams.install(config));
      if (config?.image !== undefined) await removeContainers(parts, name);
      undo.push(await files.remove(name));
      await catalog.remove(name);
    } catch (error) {
      await undo.run((failed) =>
        log.error({ server: name, error: String(failed) }, 'A server is half removed.'),
      );
      throw error;
    }
    known.current.delete(name);
    known.withFile.delete(name);
    known.problems.delete(name);
    await removeOrphans(parts, name);
  });
}

/** Also a server whose file was never usable: deleting it is how one gets rid of the file. */
function isKnown({ known, catalog }: RegistryParts, name: string): boolean {
  return known.current.has(name) || known.problems.has(name) || catalog.server(name) !== undefined;
}
