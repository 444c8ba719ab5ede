import { createUndoStack, type PushUndo } from '../../async/undo-stack.ts';
import { canonicalText } from '../../config/parse-server-config.ts';
import { referencesIn } from '../../config/references.ts';
import { withoutLiterals } from '../../config/secret-literals.ts';
import { resolveReferences } from '../../config/secret-references.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { toFailure } from '../../failure.ts';
import type { Candidate } from '../../upstreams/upstreams.ts';
import {
  assertNothingLost,
  candidateOf,
  completeVolumes,
  pinPlannedImage,
  readContainerFit,
} from '../provisioning/container-plan.ts';
import { storable } from '../registration/store-tools.ts';
import { missingVariablesIn, type RegistryDependencies } from '../registry-dependencies.ts';
import { warnOfLiterals } from '../secrets/registered-secrets.ts';
import type { ListInBackground } from './list-in-background.ts';

/**
 * Applies a config file that was changed while its server runs: the new server is started beside the old one and
 * replaces it once it has listed its tools, so that no tool is ever missing. While the new one does not start, the old
 * one serves, the file has a problem, and starting it is retried after 30 s. Of several changes the last one is applied.
 */
export interface ApplyChange {
  begin(config: ServerConfig): void;
  /** Called when the file equals the config in effect again: cancels a change that is being tried out. */
  cancel(name: string): void;
}

const retryAfterMs = 30_000;

interface Attempt {
  readonly text: string;
  retryAt: number;
}

export function createApplyChange(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  now: () => number = () => performance.now(),
): ApplyChange {
  const attempts = new Map<string, Attempt>();

  function begin(config: ServerConfig): void {
    const text = canonicalText(config);
    const last = attempts.get(config.name);
    if (last?.text === text && now() < last.retryAt) return;
    const attempt: Attempt = { text, retryAt: Number.POSITIVE_INFINITY };
    attempts.set(config.name, attempt);
    const isLast = () => attempts.get(config.name) === attempt;
    const before = deps.known.current.get(config.name);
    const isWanted = () => isLast() && deps.known.current.get(config.name) === before;
    void applyConfig(deps, listInBackground, config, isWanted)
      .then(() => isLast() && attempts.delete(config.name))
      .catch((error: unknown) => {
        attempt.retryAt = now() + retryAfterMs;
        if (isWanted()) recordProblem(deps, config, error);
      });
  }

  return { begin, cancel: (name) => void attempts.delete(name) };
}

async function applyConfig(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  config: ServerConfig,
  isWanted: () => boolean,
): Promise<void> {
  if (isOwnedElsewhere(deps, config) && !isStored(deps, config)) return;
  const fit = isOwnedElsewhere(deps, config) ? undefined : await readContainerFit(deps, config);
  const act = { mayDiscard: false, act: 'The changed file' };
  assertNothingLost(config.name, fit, act);
  const candidate = await prepareUnlessMissing(deps, candidateOf(config, fit));
  const undo = createUndoStack();
  if (candidate) undo.push(() => candidate.discard());
  try {
    await deps.locks.run(config.name, async () => {
      if (!isWanted()) return candidate?.discard();
      // Writing into the folder takes administration rights.
      const options = { isAdministrator: true, discardData: false, onFailure: undo.push };
      await completeVolumes(deps, config, fit, options);
      if (fit?.container === 'other')
        assertNothingLost(config.name, await readContainerFit(deps, config), act);
      await takeEffect(deps, config, candidate, undo.push);
      if (candidate) return pinPlannedImage(deps, config, fit?.imageId);
      deps.upstreams.install(config);
      listInBackground(config);
    });
  } catch (error) {
    await undo.run((failed) =>
      deps.log.error({ server: config.name, error: String(failed) }, 'A change is half in effect.'),
    );
    throw error;
  }
}

async function takeEffect(
  deps: Pick<RegistryDependencies, 'catalog' | 'known' | 'log'>,
  config: ServerConfig,
  candidate: Candidate | undefined,
  onFailure: PushUndo,
): Promise<void> {
  const { catalog, known } = deps;
  const { name } = config;
  const [before, stored, problem] = [known.current.get(name), catalog.server(name), known.problems.get(name)];
  await catalog.store(config, candidate && storable(candidate.tools));
  onFailure(async () => stored && catalog.store(stored.config, stored.listed));
  known.current.set(name, config);
  known.problems.delete(name);
  onFailure(async () => {
    if (before) known.current.set(name, before);
    if (problem) known.problems.set(name, problem);
  });
  warnOfLiterals(deps, config);
  await candidate?.commit();
}

/** The process that owns the containers tries the change out and stores it; other processes apply it then. */
function isOwnedElsewhere(
  { containers }: Pick<RegistryDependencies, 'containers'>,
  config: ServerConfig,
): boolean {
  return config.image !== undefined && containers !== undefined && !containers.isOwner();
}

function isStored({ catalog }: Pick<RegistryDependencies, 'catalog'>, config: ServerConfig): boolean {
  const stored = catalog.server(config.name)?.config;
  return stored !== undefined && canonicalText(stored) === canonicalText(withoutLiterals(config));
}

async function prepareUnlessMissing(
  deps: RegistryDependencies,
  config: ServerConfig,
): Promise<Candidate | undefined> {
  if (isOwnedElsewhere(deps, config)) return undefined;
  try {
    return await deps.starts(() => deps.upstreams.prepare(config));
  } catch (error) {
    if (missingVariablesIn(error) && !(await hasItsSecrets(deps, config.name))) return undefined;
    throw error;
  }
}

/** A config whose secrets are missing replaces the one in effect only if that one cannot start either. */
async function hasItsSecrets(
  { known, secrets }: Pick<RegistryDependencies, 'known' | 'secrets'>,
  name: string,
): Promise<boolean> {
  const current = known.current.get(name);
  if (current === undefined) return false;
  try {
    await resolveReferences(current, secrets);
    return true;
  } catch (error) {
    return missingVariablesIn(error) === undefined;
  }
}

function recordProblem(
  deps: Pick<RegistryDependencies, 'known' | 'bus' | 'log'>,
  config: ServerConfig,
  error: unknown,
): void {
  const reason = toFailure(error).message;
  deps.known.problems.set(config.name, {
    problem: `The changed config is not in effect: ${reason}`,
    references: referencesIn(config),
  });
  deps.bus.publish({ type: 'server', name: config.name });
  deps.log.warn(
    { server: config.name, reason },
    'A changed config is not in effect; the one before it serves.',
  );
}
