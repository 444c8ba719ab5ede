import { calledOff, withStep } from '../containers/provision-failures.ts';
import type { ProvisionStep, ProvisionWatch } from '../containers/provision-steps.ts';
import { toFailure } from '../http/failure.ts';
import type { ListInBackground } from './list-in-background.ts';
import { parseServerConfig } from './parse-server-config.ts';
import { pinImage } from './pin-image.ts';
import { imagesOf, prepareServer } from './prepare-server.ts';
import { type MovedSecrets, moveToSecrets, removeOrphans, writeSecrets } from './registered-secrets.ts';
import { describeRegistration } from './registration.ts';
import { outcomeOf } from './registration-outcome.ts';
import { type Asker, assertMayRegister } from './registration-rights.ts';
import type { Registration } from './registry.ts';
import type { RegistryParts } from './registry-parts.ts';
import type { ServerConfig } from './server-config.ts';
import { storable } from './store-tools.ts';
import { createUndoStack, type PushUndo } from './undo-stack.ts';

/**
 * Registers or replaces one server, all or nothing: secrets, tool list, file, rows, and only then the connection
 * that serves. Each step that is done leaves its way back; a failure takes them all. An older registration
 * serves until the last step, so agents never see its tools missing.
 */
export async function registerServer(
  parts: RegistryParts,
  listInBackground: ListInBackground,
  document: unknown,
  asker: Asker,
  watch: ProvisionWatch,
): Promise<Registration> {
  const config = parseServerConfig(document, parts.callTimeoutMs);
  return parts.locks.exclusive(config.name, () =>
    undoneOnFailure(parts, config.name, watch, async (told, onFailure) => {
      await assertMayRegister(parts, config, asker);
      const options = { ...asker, watch: told, onFailure };
      const { image } = config;
      if (image === undefined) return await registerExclusively(parts, listInBackground, config, options);
      await imagesOf(parts).assertPossible();
      const { id } = await imagesOf(parts).pull({ ...config, image }, told);
      const registration = await registerExclusively(parts, listInBackground, config, options);
      await pinImage(parts, config.name, image, id);
      return registration;
    }),
  );
}

export interface RegisterOptions extends Pick<Asker, 'isAdministrator'> {
  readonly watch: ProvisionWatch;
  readonly onFailure: PushUndo;
  /** Runs when variables are missing; the server is registered as failed unless this throws. */
  readonly onMissing?: (missing: readonly string[]) => void;
}

/** The part that needs the name for itself, and somebody who takes back what was done when it fails. */
export async function registerExclusively(
  parts: RegistryParts,
  listInBackground: ListInBackground,
  given: ServerConfig,
  { isAdministrator, watch, onFailure, onMissing }: RegisterOptions,
): Promise<Registration> {
  const { catalog, files, known } = parts;
  const { config, forgetJournal } = await parts.secretsInTurn(async () => {
    const moved = await moveToSecrets(parts, given, isAdministrator);
    return { ...moved, forgetJournal: await noteSecrets(parts, moved, onFailure) };
  });

  if (config.image !== undefined && !known.current.has(config.name)) {
    onFailure(async () => parts.containers?.keeper.remove(config.name));
  }
  const { candidate, missing } = await prepareServer(parts, config, watch);
  if (candidate) onFailure(() => candidate.discard());
  else onMissing?.(missing);
  if (config.image !== undefined) watch.onStep({ step: 'register' });
  if (watch.signal.aborted) throw calledOff('register');

  const before = catalog.server(config.name);
  const outcome = outcomeOf(parts, config);
  if (outcome !== 'unchanged') onFailure(await files.write(config));

  const server = await catalog.store(config, candidate && storable(candidate.tools));
  const replaced = known.current.get(config.name);
  known.current.set(config.name, config);
  known.withFile.add(config.name);
  known.problems.delete(config.name);
  if (candidate) await candidate.commit();
  else serveWithoutTools(parts, listInBackground, config);
  await forgetJournal();
  if (replaced) await removeOrphans(parts, config.name, config);
  return describeRegistration({ server, before, outcome, missing });
}

/**
 * Whatever `work` did is taken back when it fails. A failure of an image says at which step, and whether nothing is
 * left of it.
 */
export async function undoneOnFailure<Result>(
  { log }: Pick<RegistryParts, 'log'>,
  server: string,
  watch: ProvisionWatch,
  work: (watch: ProvisionWatch, onFailure: PushUndo) => Promise<Result>,
): Promise<Result> {
  const undo = createUndoStack();
  let step: ProvisionStep['step'] | undefined;
  const onStep = (next: ProvisionStep) => {
    step = next.step;
    watch.onStep(next);
  };
  try {
    return await work({ ...watch, onStep }, undo.push);
  } catch (error) {
    const isUndone = await undo.run((failed) => {
      log.error({ server, error: String(failed) }, 'A failed registration left something behind.');
    });
    const failure = toFailure(error);
    const isAboutImage = step !== undefined || failure.code === 'provision_failed';
    throw isAboutImage ? withStep(failure, step ?? 'engine', isUndone) : error;
  }
}

/** Resolves with how to forget the note, once something refers to the secrets. */
async function noteSecrets(
  { secrets, owners, journal, log }: RegistryParts,
  { values, claims, owner }: MovedSecrets,
  onFailure: PushUndo,
): Promise<() => Promise<void>> {
  onFailure(await owners.claim(claims, owner));
  if (values.size === 0) return async () => {};
  const strike = await journal.note([...values.keys()]);
  onFailure(strike);
  onFailure(await writeSecrets(secrets, values));
  // Left alone it does no harm: the next start finds the secrets in use and strikes it out.
  return () => strike().catch((error: unknown) => log.warn({ error: String(error) }, 'A note stays.'));
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
