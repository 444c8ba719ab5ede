import type { suite } from 'uvu';
import type { Agent } from './agent.ts';
import type { Checkout } from './checkout.ts';

/** What the tests of the stack share: one checkout, one agent with one session, through everything. */
export interface Stack {
  readonly checkout: Checkout;
  /** After the first `make up`. */
  agent(): Promise<Agent>;
}

export type Test = ReturnType<typeof suite>;
