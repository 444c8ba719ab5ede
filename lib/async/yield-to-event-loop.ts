import { pause } from './pause.ts';

/** Lets everybody else have their turn in the middle of long work. */
export function yieldToEventLoop(): Promise<void> {
  return pause(0);
}
