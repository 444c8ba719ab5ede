import { createUndoStack, type PushUndo } from '../../async/undo-stack.ts';
import { parseServerConfig } from '../../config/parse-server-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import {
  calledOff,
  type ProvisionStep,
  type ProvisionWatch,
  withStep,
} from '../../containers/images/provision-steps.ts';
import { toFailure } from '../../failure.ts';
import { pinPlannedImage, readContainerFit } from '../provisioning/container-plan.ts';
import type { ListInBackground } from '../reconcile/list-in-background.ts';
import type { Registration } from '../registry.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import {
  assertInputsGiven,
  type MovedSecrets,
  moveToSecrets,
  removeOrphans,
  writeSecrets,
} from '../secrets/registered-secrets.ts';
import { assertStorable, isInFile } from './assert-storable.ts';
import { describeRegistration, registrationOutcome } from './registration.ts';
import { assertMayRegister, type Requester } from './registration-rights.ts';
import { pullFor, type StartOptions, startServer } from './start-server.ts';
import { storable } from './store-tools.ts';

/**
 * Registers or replaces one server, all or nothing: secrets, tool list, file, rows, and only then the connection
 * that serves. Each step pushes its undo, and a failure runs them all. An older registration serves until the last
 * step, so agents never see its tools missing.
 */
export async function registerServer(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  document: unknown,
  requester: Requester,
  watch: ProvisionWatch,
): Promise<Registration> {
  const config = parseServerConfig(document, deps.callTimeoutMs);
  assertInputsGiven(config);
  return deps.locks.exclusive(config.name, () =>
    undoneOnFailure(deps, config.name, watch, async (stepWatch, onFailure) => {
      await assertMayRegister(deps, config, requester);
      // An unchanged config keeps its image, even when its tag names another one by now.
      const warnings = (await isUnchanged(deps, config)) ? [] : await pullFor(deps, config, stepWatch);
      const options = { ...requester, watch: stepWatch, onFailure, warnings };
      return await registerExclusively(deps, listInBackground, config, options);
    }),
  );
}

/** Whether the server is registered with this config, and its container fits it. */
async function isUnchanged(deps: RegistryDependencies, config: ServerConfig): Promise<boolean> {
  return (
    registrationOutcome(deps, config) === 'unchanged' &&
    (await readContainerFit(deps, config))?.container === 'fits'
  );
}

export interface RegisterServerOptions extends StartOptions {
  /** Warnings of earlier steps. */
  readonly warnings?: readonly string[];
}

/** Called under the lock of the name, within `undoneOnFailure`. */
export async function registerExclusively(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  config: ServerConfig,
  options: RegisterServerOptions,
): Promise<Registration> {
  const end = deps.containers?.containerStore.beginReplacing(config.name, options.discardData);
  try {
    return await register(deps, listInBackground, config, options);
  } finally {
    end?.();
  }
}

async function register(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  given: ServerConfig,
  options: RegisterServerOptions,
): Promise<Registration> {
  const { watch, onFailure } = options;
  const { catalog, files } = deps;
  const { config, deleteJournalEntry } = await deps.secretsMutex(async () => {
    const moved = await moveToSecrets(deps, given, options.isAdministrator);
    await assertStorable(deps, moved);
    return { ...moved, deleteJournalEntry: await recordSecrets(deps, moved, onFailure) };
  });
  const outcome = registrationOutcome(deps, config);
  const started = await startServer(deps, config, outcome, options);
  if (config.image !== undefined) watch.onStep({ step: 'register' });
  if (watch.signal.aborted) throw calledOff('register');

  const before = catalog.server(config.name);
  if (!isInFile(deps, config)) onFailure(await files.write(config));
  const server = await catalog.store(config, started.tools && storable(started.tools));
  onFailure(async () => {
    await (before ? catalog.store(before.config, before.listed) : catalog.remove(config.name));
  });
  const replaced = makeCurrent(deps, config, onFailure);
  if (started.commit) {
    await started.commit();
    onFailure(async () => (replaced ? deps.upstreams.install(replaced) : deps.upstreams.remove(config.name)));
  } else if (started.tools === undefined) serveWithoutTools(deps, listInBackground, config);
  await pinPlannedImage(deps, config, started.imageId);
  await deleteJournalEntry();
  if (replaced) await removeOrphans(deps, config.name, config);
  const { warnings } = options;
  const { missing } = started;
  return describeRegistration({ server, before, outcome, missing, warnings, advice: deps });
}

/** Resolves with the config that was in effect. */
function makeCurrent(
  { known }: Pick<RegistryDependencies, 'known'>,
  config: ServerConfig,
  onFailure: PushUndo,
): ServerConfig | undefined {
  const { name } = config;
  const [before, wasInFile, problem] = [
    known.current.get(name),
    known.withFile.has(name),
    known.problems.get(name),
  ];
  known.current.set(name, config);
  known.withFile.add(name);
  known.problems.delete(name);
  onFailure(async () => {
    if (before) known.current.set(name, before);
    else known.current.delete(name);
    if (!wasInFile) known.withFile.delete(name);
    if (problem) known.problems.set(name, problem);
  });
  return before;
}

/**
 * Runs the undos that `work` pushed when it fails. The failure of an image names its step, and whether everything was
 * undone.
 */
export async function undoneOnFailure<Result>(
  { log }: Pick<RegistryDependencies, 'log'>,
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

/** Resolves with a function that deletes the journal's entry, called once a config refers to the secrets. */
async function recordSecrets(
  { secrets, owners, journal, log }: Pick<RegistryDependencies, 'secrets' | 'owners' | 'journal' | 'log'>,
  { values, claims, owner }: MovedSecrets,
  onFailure: PushUndo,
): Promise<() => Promise<void>> {
  const deleteEntry = values.size === 0 ? undefined : await journal.record([...values.keys()]);
  if (deleteEntry) onFailure(deleteEntry);
  onFailure(await owners.claim(claims, owner));
  onFailure(await writeSecrets(secrets, values));
  if (deleteEntry === undefined) return async () => {};
  // An entry that remains does no harm: the next start finds the secrets in use and deletes the entry.
  return () =>
    deleteEntry().catch((error: unknown) =>
      log.warn({ error: String(error) }, 'The journal entry of a registration could not be deleted.'),
    );
}

/** The server shows as failed at once, and starts as soon as its variables have values. */
function serveWithoutTools(
  deps: Pick<RegistryDependencies, 'upstreams'>,
  listInBackground: ListInBackground,
  config: ServerConfig,
): void {
  deps.upstreams.install(config);
  listInBackground(config);
}
