import { clauseOf } from '../text/clause.ts';
import type { Containers } from './containers.ts';

/**
 * Why this process does not look after the containers: another one does, or none can, and then why not. Reasons continue
 * "the server is unavailable: …".
 */
export interface AbsentOwner {
  /** Asks the database and the engine. Never rejects. */
  reason(): Promise<string>;
  /** What the engine kept us from it with, at the last look; undefined while another process looks after them. */
  known(): string | undefined;
}

export interface AbsentOwnerOptions {
  /** The process that is the owner now. */
  readonly current: () => Promise<{ readonly processId: string } | undefined>;
  readonly processId: string;
  readonly problem: Containers['problem'];
}

const nobody = 'no process looks after its container yet; try again in some seconds';
export const elsewhere = 'another process of this installation looks after its container';

export function createAbsentOwner({ current, processId, problem }: AbsentOwnerOptions): AbsentOwner {
  let known: string | undefined;

  return {
    async reason() {
      const owner = await current().catch(() => undefined);
      const isElsewhere = owner !== undefined && owner.processId !== processId;
      const sentence = isElsewhere ? undefined : await problem();
      known = sentence && clauseOf(sentence);
      return isElsewhere ? elsewhere : (known ?? nobody);
    },
    known: () => known,
  };
}
