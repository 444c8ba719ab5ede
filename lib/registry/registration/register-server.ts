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
import { fitOf, pinPlannedImage } from '../provisioning/container-plan.ts';
import type { ListInBackground } from '../reconcile/list-in-background.ts';
import { type StartOptions, startServer } from '../reconcile/start-server.ts';
import type { Registration } from '../registry.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { assertInputsGiven } from '../secrets/assert-inputs-given.ts';
import {
  type MovedSecrets,
  moveToSecrets,
  removeOrphans,
  writeSecrets,
} from '../secrets/registered-secrets.ts';
import { pullFor } from './prepare-server.ts';
import { describeRegistration } from './registration.ts';
import { registrationOutcome } from './registration-outcome.ts';
import { type Asker, assertMayRegister } from './registration-rights.ts';
import { storable } from './store-tools.ts';

/**
 * Registers or replaces one server, all or nothing: secrets, tool list, file, rows, and only then the connection
 * that serves. Each step that is done leaves its way back; a failure takes them all. An older registration
 * serves until the last step, so agents never see its tools missing.
 */
export async function registerServer(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  document: unknown,
  asker: Asker,
  watch: ProvisionWatch,
): Promise<Registration> {
  const config = parseServerConfig(document, deps.callTimeoutMs);
  assertInputsGiven(config);
  return deps.locks.exclusive(config.name, () =>
    undoneOnFailure(deps, config.name, watch, async (told, onFailure) => {
      await assertMayRegister(deps, config, asker);
      // What is the same stays the same; whether its tag names another image now is no question here.
      const warnings = (await isThere(deps, config)) ? [] : await pullFor(deps, config, told);
      const options = { ...asker, watch: told, onFailure, warnings };
      return await registerExclusively(deps, listInBackground, config, options);
    }),
  );
}

async function isThere(deps: RegistryDependencies, config: ServerConfig): Promise<boolean> {
  return (
    registrationOutcome(deps, config) === 'unchanged' && (await fitOf(deps, config))?.container === 'fits'
  );
}

export interface RegisterServerOptions extends StartOptions {
  /** Of the steps before. */
  readonly warnings?: readonly string[];
}

/** The part that needs the name for itself, and somebody who takes back what was done when it fails. */
export async function registerExclusively(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  given: ServerConfig,
  options: RegisterServerOptions,
): Promise<Registration> {
  const end = deps.containers?.containerStore.asked(given.name, options.discardData);
  try {
    return await register(deps, listInBackground, given, options);
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
  const { config, forgetJournal } = await deps.secretsMutex(async () => {
    const moved = await moveToSecrets(deps, given, options.isAdministrator);
    return { ...moved, forgetJournal: await noteSecrets(deps, moved, onFailure) };
  });
  const outcome = registrationOutcome(deps, config);
  const started = await startServer(deps, config, outcome, options);
  if (config.image !== undefined) watch.onStep({ step: 'register' });
  if (watch.signal.aborted) throw calledOff('register');

  const before = catalog.server(config.name);
  const isInFile = outcome === 'unchanged' && deps.known.withFile.has(config.name);
  if (!isInFile) onFailure(await files.write(config));
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
  await forgetJournal();
  if (replaced) await removeOrphans(deps, config.name, config);
  const { warnings } = options;
  const { missing } = started;
  return describeRegistration({ server, before, outcome, missing, warnings, advice: deps });
}

/** Resolves with the config that was in effect. */
function makeCurrent(
  { known }: RegistryDependencies,
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
 * Whatever `work` did is taken back when it fails. A failure of an image says at which step, and whether nothing is
 * left of it.
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

/** Resolves with how to forget the note, once something refers to the secrets. */
async function noteSecrets(
  { secrets, owners, journal, log }: RegistryDependencies,
  { values, claims, owner }: MovedSecrets,
  onFailure: PushUndo,
): Promise<() => Promise<void>> {
  const strike = values.size === 0 ? undefined : await journal.note([...values.keys()]);
  if (strike) onFailure(strike);
  onFailure(await owners.claim(claims, owner));
  onFailure(await writeSecrets(secrets, values));
  if (strike === undefined) return async () => {};
  // Left alone it does no harm: the next start finds the secrets in use and strikes it out.
  return () => strike().catch((error: unknown) => log.warn({ error: String(error) }, 'A note stays.'));
}

/** Shown as failed at once, and started as soon as its variables have values. */
function serveWithoutTools(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  config: ServerConfig,
): void {
  deps.upstreams.install(config);
  listInBackground(config);
}
