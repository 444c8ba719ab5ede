import type { Candidate } from '../upstreams/upstreams.ts';
import type { ListInBackground } from './list-in-background.ts';
import { canonicalText, parseServerConfig } from './parse-server-config.ts';
import { moveToSecrets, removeOrphans, writeSecrets } from './registered-secrets.ts';
import { describeRegistration, previewServer } from './registration.ts';
import type { Registration } from './registry.ts';
import { missingVariablesIn, type RegistryParts } from './registry-parts.ts';
import type { ServerConfig } from './server-config.ts';
import { storable } from './store-tools.ts';
import { createUndoStack } from './undo-stack.ts';

/**
 * Registers or replaces one server, all or nothing: secrets, tool list, file, rows, and only then the connection
 * that serves. Each step that is done leaves its way back; a failure takes them all. An older registration
 * serves until the last step, so agents never see its tools missing.
 */
export async function registerServer(
  parts: RegistryParts,
  listInBackground: ListInBackground,
  document: unknown,
): Promise<Registration> {
  const config = parseServerConfig(document, parts.callTimeoutMs);
  return parts.locks.exclusive(config.name, async () => {
    const undo = createUndoStack();
    try {
      return await registerExclusively(parts, listInBackground, config, undo.push);
    } catch (error) {
      await undo.run((failed) => {
        parts.log.error(
          { server: config.name, error: String(failed) },
          'A failed registration left something behind.',
        );
      });
      throw error;
    }
  });
}

/** What `registerServer` would do. The server is started with the literals as they are, and stopped again. */
export async function previewRegistration(parts: RegistryParts, document: unknown): Promise<Registration> {
  const config = parseServerConfig(document, parts.callTimeoutMs);
  return parts.locks.exclusive(config.name, async () => {
    const moved = await moveToSecrets(parts, config);
    const { candidate, missing } = await prepare(parts, config);
    await candidate?.discard();
    const before = parts.catalog.server(config.name);
    return describeRegistration({
      server: await previewServer(moved.config, candidate && storable(candidate.tools), before),
      before,
      outcome: outcomeOf(parts, moved.config),
      missing,
    });
  });
}

type PushUndo = (undo: () => Promise<void>) => void;

async function registerExclusively(
  parts: RegistryParts,
  listInBackground: ListInBackground,
  given: ServerConfig,
  onFailure: PushUndo,
): Promise<Registration> {
  const { catalog, files, secrets, known } = parts;
  const { config, values } = await moveToSecrets(parts, given);
  onFailure(await writeSecrets(secrets, values));

  const { candidate, missing } = await prepare(parts, config);
  if (candidate) onFailure(() => candidate.discard());

  const before = catalog.server(config.name);
  const outcome = outcomeOf(parts, config);
  if (outcome !== 'unchanged') onFailure(await files.write(config));

  const server = await catalog.store(config, candidate && storable(candidate.tools));
  const replaced = known.current.get(config.name);
  known.current.set(config.name, config);
  known.withFile.add(config.name);
  known.problems.delete(config.name);
  if (candidate) candidate.commit();
  else serveWithoutTools(parts, listInBackground, config);
  if (replaced) await removeOrphans(parts, replaced, config);
  return describeRegistration({ server, before, outcome, missing });
}

interface Prepared {
  /** Undefined when variables are missing. */
  readonly candidate: Candidate | undefined;
  readonly missing: readonly string[];
}

async function prepare({ upstreams }: RegistryParts, config: ServerConfig): Promise<Prepared> {
  try {
    return { candidate: await upstreams.prepare(config), missing: [] };
  } catch (error) {
    const missing = missingVariablesIn(error);
    if (!missing) throw error;
    return { candidate: undefined, missing };
  }
}

/** Shown as failed at once, and started as soon as its variables have values. */
function serveWithoutTools(
  parts: RegistryParts,
  listInBackground: ListInBackground,
  config: ServerConfig,
): void {
  parts.upstreams.install(config);
  listInBackground(config);
}

function outcomeOf({ known }: RegistryParts, config: ServerConfig): Registration['outcome'] {
  const { name } = config;
  const current = known.current.get(name);
  if (!current) return 'registered';
  const isInFile = known.withFile.has(name) && !known.problems.has(name);
  return isInFile && canonicalText(current) === canonicalText(config) ? 'unchanged' : 'replaced';
}
