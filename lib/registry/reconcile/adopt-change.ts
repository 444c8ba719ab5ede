import { createUndoStack, type PushUndo } from '../../async/undo-stack.ts';
import { referencesIn } from '../../config/config-references.ts';
import { canonicalText } from '../../config/parse-server-config.ts';
import { withoutLiterals } from '../../config/secret-literals.ts';
import { resolveReferences } from '../../config/secret-references.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { toFailure } from '../../failure.ts';
import type { Candidate } from '../../upstreams/upstreams.ts';
import {
  assertNothingLost,
  candidateOf,
  fitOf,
  pinImage,
  settleVolumes,
} from '../provisioning/container-plan.ts';
import { storable } from '../registration/store-tools.ts';
import { missingVariablesIn, type RegistryParts } from '../registry-parts.ts';
import { warnOfLiterals } from '../secrets/registered-secrets.ts';
import type { ListInBackground } from './list-in-background.ts';

/**
 * Takes over a config file that was changed while its server runs: the new one is started beside the old one and
 * replaces it once it has listed its tools, so nothing is ever missing. While it does not start, the old one
 * serves, the file has a problem, and another attempt is made from time to time. Of several changes the last counts.
 */
export interface AdoptChange {
  begin(config: ServerConfig): void;
  /** The file is again what is in effect: a change that is being tried out is not wanted any more. */
  drop(name: string): void;
}

const retryAfterMs = 30_000;

interface Attempt {
  readonly text: string;
  retryAt: number;
}

export function createAdoptChange(
  parts: RegistryParts,
  listInBackground: ListInBackground,
  now: () => number = () => performance.now(),
): AdoptChange {
  const attempts = new Map<string, Attempt>();

  function begin(config: ServerConfig): void {
    const text = canonicalText(config);
    const last = attempts.get(config.name);
    if (last?.text === text && now() < last.retryAt) return;
    const attempt: Attempt = { text, retryAt: Number.POSITIVE_INFINITY };
    attempts.set(config.name, attempt);
    const isLast = () => attempts.get(config.name) === attempt;
    const before = parts.known.current.get(config.name);
    const isWanted = () => isLast() && parts.known.current.get(config.name) === before;
    void adopt(parts, listInBackground, config, isWanted)
      .then(() => isLast() && attempts.delete(config.name))
      .catch((error: unknown) => {
        attempt.retryAt = now() + retryAfterMs;
        if (isWanted()) noteProblem(parts, config, error);
      });
  }

  return { begin, drop: (name) => void attempts.delete(name) };
}

async function adopt(
  parts: RegistryParts,
  listInBackground: ListInBackground,
  config: ServerConfig,
  isWanted: () => boolean,
): Promise<void> {
  if (isOwnedElsewhere(parts, config) && !isStored(parts, config)) return;
  const fit = isOwnedElsewhere(parts, config) ? undefined : await fitOf(parts, config);
  const act = { mayDiscard: false, act: 'The changed file' };
  assertNothingLost(config.name, fit, act);
  const candidate = await prepareUnlessMissing(parts, candidateOf(config, fit));
  const undo = createUndoStack();
  if (candidate) undo.push(() => candidate.discard());
  try {
    await parts.locks.inTurn(config.name, async () => {
      if (!isWanted()) return candidate?.discard();
      // Whoever writes into the folder has administration rights.
      const asker = { isAdministrator: true, discardData: false, onFailure: undo.push };
      await settleVolumes(parts, config, fit, asker);
      if (fit?.container === 'other') assertNothingLost(config.name, await fitOf(parts, config), act);
      await takeEffect(parts, config, candidate, undo.push);
      if (candidate) return pinImage(parts, config, fit?.imageId);
      parts.upstreams.install(config);
      listInBackground(config);
    });
  } catch (error) {
    await undo.run((failed) =>
      parts.log.error({ server: config.name, error: String(failed) }, 'A change is half in effect.'),
    );
    throw error;
  }
}

async function takeEffect(
  parts: RegistryParts,
  config: ServerConfig,
  candidate: Candidate | undefined,
  onFailure: PushUndo,
): Promise<void> {
  const { catalog, known } = parts;
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
  warnOfLiterals(parts, config);
  await candidate?.commit();
}

/** The process that looks after its container tries it out and stores it; this one follows. */
function isOwnedElsewhere({ containers }: RegistryParts, config: ServerConfig): boolean {
  return config.image !== undefined && containers !== undefined && !containers.isOwner();
}

function isStored({ catalog }: RegistryParts, config: ServerConfig): boolean {
  const stored = catalog.server(config.name)?.config;
  return stored !== undefined && canonicalText(stored) === canonicalText(withoutLiterals(config));
}

async function prepareUnlessMissing(
  parts: RegistryParts,
  config: ServerConfig,
): Promise<Candidate | undefined> {
  if (isOwnedElsewhere(parts, config)) return undefined;
  try {
    return await parts.starts(() => parts.upstreams.prepare(config));
  } catch (error) {
    if (missingVariablesIn(error) && !(await hasItsSecrets(parts, config.name))) return undefined;
    throw error;
  }
}

/** What is in effect now gives way to a config whose secrets are missing only where it cannot start either. */
async function hasItsSecrets({ known, secrets }: RegistryParts, name: string): Promise<boolean> {
  const current = known.current.get(name);
  if (current === undefined) return false;
  try {
    await resolveReferences(current, secrets);
    return true;
  } catch (error) {
    return missingVariablesIn(error) === undefined;
  }
}

function noteProblem(parts: RegistryParts, config: ServerConfig, error: unknown): void {
  const reason = toFailure(error).message;
  parts.known.problems.set(config.name, {
    problem: `The changed config is not in effect: ${reason}`,
    references: referencesIn(config),
  });
  parts.bus.publish({ type: 'server', name: config.name });
  parts.log.warn(
    { server: config.name, reason },
    'A changed config is not in effect; the one before it serves.',
  );
}
