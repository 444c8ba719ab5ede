import type { PullProgress } from '../containers.ts';

/**
 * Combines the events of a pull, which report each layer separately, into one figure. A layer counts half when
 * downloaded and whole when unpacked; unreported sizes (small layers, fast pulls) count as the average of the others.
 * The figure never decreases, even when sizes that are learned late would lower it.
 */
export interface PullEvent {
  readonly status?: string;
  /** The id of a layer, or the tag. */
  readonly id?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
  readonly error?: string;
}

interface Layer {
  bytes: number | undefined;
  /** 0 to 1. */
  part: number;
}

const present = 'Already exists';
const pulled = 'Pull complete';

/** Adds one event; returns the new progress, or undefined when it did not change. */
export function createPullProgress(): (event: PullEvent) => PullProgress | undefined {
  const layers = new Map<string, Layer>();
  let presentLayers = 0;
  let latest: PullProgress = { percent: undefined, layers: { done: 0, total: 0 } };

  function layerOf(id: string): Layer {
    const layer = layers.get(id) ?? { bytes: undefined, part: 0 };
    layers.set(id, layer);
    return layer;
  }

  function take({ status = '', id, progressDetail = {} }: PullEvent): void {
    if (id === undefined) return;
    if (status === present) presentLayers++;
    else if (status === pulled) layerOf(id).part = 1;
    else if (status === 'Download complete') advance(layerOf(id), 0.5);
    else if (status === 'Downloading') advanceBy(layerOf(id), progressDetail, 0);
    else if (status === 'Extracting') advanceBy(layerOf(id), progressDetail, 0.5);
    else if (status === 'Pulling fs layer' || status === 'Waiting') layerOf(id);
  }

  return (event) => {
    take(event);
    const now = summary([...layers.values()], presentLayers, latest.percent);
    const isSame = now.percent === latest.percent && now.layers.done === latest.layers.done;
    if (isSame && now.layers.total === latest.layers.total) return undefined;
    latest = now;
    return now;
  };
}

function advance(layer: Layer, part: number): void {
  layer.part = Math.max(layer.part, Math.min(part, 1));
}

function advanceBy(
  layer: Layer,
  { current = 0, total }: NonNullable<PullEvent['progressDetail']>,
  base: number,
): void {
  if (!total || total < 0) return;
  layer.bytes ??= total;
  advance(layer, base + (0.5 * Math.min(current, total)) / total);
}

function summary(layers: readonly Layer[], presentLayers: number, before: number | undefined): PullProgress {
  const done = layers.filter(({ part }) => part === 1).length + presentLayers;
  const percent = percentOf(layers);
  return {
    percent: percent === undefined ? before : Math.max(percent, before ?? 0),
    layers: { done, total: layers.length + presentLayers },
  };
}

function percentOf(layers: readonly Layer[]): number | undefined {
  const known = layers.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes]));
  if (known.length === 0 && !layers.some(({ part }) => part > 0)) return undefined;
  const average = known.length > 0 ? known.reduce((sum, bytes) => sum + bytes, 0) / known.length : 1;
  let all = 0;
  let done = 0;
  for (const { bytes = average, part } of layers) {
    all += bytes;
    done += bytes * part;
  }
  return Math.floor((100 * done) / all);
}
