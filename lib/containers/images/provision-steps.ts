/**
 * What a provision tells while it goes on (contract section 3, "Provisioning, in detail"), and an update, which compares and
 * swaps instead of registering. Each step is told when it begins, `pull` again whenever it got further.
 */
export interface ProvisionStep {
  readonly step: 'pull' | 'start' | 'ready' | 'register' | 'compare' | 'swap';
  /** Of the layers that need loading; absent while their sizes are unknown. */
  readonly percent?: number;
  readonly layers?: { readonly done: number; readonly total: number };
}

/** Who watches a provision, and may call it off. */
export interface ProvisionWatch {
  readonly onStep: (step: ProvisionStep) => void;
  /** Aborted when the caller left or the service ends: the provision is undone. */
  readonly signal: AbortSignal;
}
