import type { Stage } from './stage.ts';

/** One line of the table. */
export interface Figure {
  readonly name: string;
  readonly ours: string;
  /** At least, or at most, in words. */
  readonly target: string;
  readonly holds: boolean;
  /** What the value was compared with, where that is not plain. */
  readonly note?: string;
}

/** Measures one or more figures; chosen by name with `--only`. */
export interface Measurement {
  readonly name: string;
  measure(stage: Stage): Promise<readonly Figure[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A figure that must reach its target. */
export function atLeast(name: string, ours: number, target: number, unit = '', note?: string): Figure {
  return { name, ours: shown(ours, unit), target: shown(target, unit), holds: ours >= target, note };
}

/** A figure that must not pass its target. */
export function atMost(name: string, ours: number, target: number, unit = '', note?: string): Figure {
  return { name, ours: shown(ours, unit), target: `≤ ${shown(target, unit)}`, holds: ours <= target, note };
}

function shown(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${Number.isNaN(value) ? 'not measured' : value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`;
}
