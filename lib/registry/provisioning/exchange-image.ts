import type { PushUndo } from '../../async/undo-stack.ts';
import { assertImageAllowed } from '../../config/image-reference.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { ImagePin } from '../../containers/images/image-pins.ts';
import { calledOff, type ProvisionWatch } from '../../containers/images/provision-steps.ts';
import type { LayerData } from '../../containers/store/data-at-risk.ts';
import { Failure, toFailure } from '../../failure.ts';
import { nameWarnings, previewServer } from '../registration/registration.ts';
import { storable } from '../registration/store-tools.ts';
import type { ImageChangeOptions } from '../registry.ts';
import { containersOf, type RegistryDependencies, serverNotFound } from '../registry-dependencies.ts';
import { assertNothingLost, candidateOf, readContainerFit } from './container-plan.ts';
import { groupsAffectedBy, type ImageChange, toolDifferences } from './image-change.ts';

/**
 * Replaces a server by one from another image, under the lock of its name: the new one is tried out while the old one
 * serves, and replaces the old one once the tools are compared. After a failure the old one serves.
 */
export interface ImageExchange extends Pick<ImageChangeOptions, 'discardData' | 'dryRun'> {
  readonly config: ContainerConfig;
  readonly pin: ImagePin;
  /** Present on this engine. */
  readonly imageId: string;
  /** The reference that was pulled for it. */
  readonly reference: string;
  readonly warnings: readonly string[];
}

export type ContainerConfig = ServerConfig & { readonly image: string };

export async function exchangeImage(
  deps: RegistryDependencies,
  options: ImageExchange,
  watch: ProvisionWatch,
  onFailure: PushUndo,
): Promise<ImageChange> {
  const { discardData = false, dryRun = false } = options;
  const end = containersOf(deps).containerStore.beginReplacing(options.config.name, discardData && !dryRun);
  try {
    return await exchange(deps, options, watch, onFailure);
  } finally {
    end();
  }
}

const act = 'Another image';

async function exchange(
  deps: RegistryDependencies,
  { config, pin, imageId, reference, discardData = false, dryRun = false, warnings }: ImageExchange,
  watch: ProvisionWatch,
  onFailure: PushUndo,
): Promise<ImageChange> {
  const { catalog } = deps;
  const { name } = config;
  const { images, earlier } = containersOf(deps);
  const digests = {
    oldDigest: await earlier.digestOf(pin.imageId, pin.reference),
    newDigest: await earlier.digestOf(imageId, reference),
  };
  const wanted = { ...config, imageId };
  const fit = await readContainerFit(deps, wanted);
  if (!dryRun) assertNothingLost(name, fit, { mayDiscard: discardData, act });
  const tried = dryRun ? { ...wanted, isTryOut: true } : candidateOf(wanted, fit);
  const candidate = await images.prepare(tried, watch);
  onFailure(() => candidate.discard());

  watch.onStep({ step: 'compare' });
  const before = catalog.server(name);
  const tools = storable(candidate.tools);
  const after = await previewServer(config, tools, before);
  const differences = toolDifferences(before?.tools ?? [], after.tools);
  const change = {
    ...{ name, ...digests, tools: differences, toolCount: after.tools.length },
    affectedGroups: groupsAffectedBy(deps, name, differences),
    ...(after.problems.length > 0 ? { problems: after.problems } : {}),
  };
  const allWarnings = [...warnings, ...nameWarnings(after, deps)];
  if (dryRun) {
    await candidate.discard();
    const losses = fit?.atRisk ? [lossOf(fit.atRisk)] : [];
    return { ...change, outcome: 'tried', warnings: [...allWarnings, ...losses] };
  }

  if (watch.signal.aborted) throw calledOff('swap');
  watch.onStep({ step: 'swap' });
  // The container may have written files since the first check.
  assertNothingLost(name, await readContainerFit(deps, wanted), { mayDiscard: discardData, act });
  if (before) onFailure(() => catalog.store(config, before.listed));
  await catalog.store(config, tools);
  await candidate.commit();
  const pinWarnings = await recordPin(deps, name, {
    ...{ reference: config.image, imageId },
    previous: { reference: pin.reference, imageId: pin.imageId },
  });
  return { ...change, outcome: 'changed', warnings: [...allWarnings, ...pinWarnings] };
}

/**
 * @throws Failure `server_not_found`; `conflict` for one that runs in no container; `image_not_allowed`.
 */
export function containerConfigOf(
  { known }: Pick<RegistryDependencies, 'known'>,
  name: string,
  allowedImages: readonly string[],
): ContainerConfig {
  const config = known.current.get(name);
  if (config === undefined) throw serverNotFound(name);
  const { image } = config;
  if (image === undefined) {
    throw new Failure('conflict', `Server \`${name}\` runs in no container: it has no image to update.`);
  }
  assertImageAllowed(image, allowedImages);
  return { ...config, image };
}

/** The image of the server; without a pin, that of its container, to be read before a pull. */
export async function pinOf(
  deps: Pick<RegistryDependencies, 'containers'>,
  { name, image }: ContainerConfig,
): Promise<ImagePin | undefined> {
  const { pins, containerStore } = containersOf(deps);
  const pin = await pins.of(name);
  if (pin?.reference === image) return pin;
  const { imageId } = containerStore.status(name);
  if (imageId === undefined) return undefined;
  const first = { reference: image, imageId, previous: undefined };
  await pins.set(name, first);
  return first;
}

/** Runs when the new image serves already: a failure becomes a warning, and another update repairs it. */
async function recordPin(
  deps: Pick<RegistryDependencies, 'containers' | 'log'>,
  name: string,
  pin: ImagePin,
): Promise<string[]> {
  try {
    await containersOf(deps).pins.set(name, pin);
    return [];
  } catch (error) {
    deps.log.error(
      { server: name, reason: toFailure(error).message },
      'The image of a server could not be recorded.',
    );
    return [
      'Which image it is made from could not be stored: it may be back at the one before after a restart of the service.',
    ];
  }
}

function lossOf({ paths, count }: LayerData): string {
  const more = count > paths.length ? ' and others' : '';
  return `It would lose ${count === 1 ? '1 file' : `${count} files`} in its container: ${paths.join(', ')}${more}.`;
}
