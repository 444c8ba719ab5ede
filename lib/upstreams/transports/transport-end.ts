import type { ClosePurpose, Transport } from './transport.ts';

/** The one end of a transport, however often it is asked for: the first purpose counts. */
export class TransportEnd {
  /** Resolves when the process or connection is gone. */
  readonly reached: Promise<void>;
  #onReached = () => {};
  #isUnderWay = false;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#onReached = resolve;
    });
  }

  /** Resolves when it is reached. */
  begin(transport: Transport, purpose: ClosePurpose): Promise<void> {
    if (!this.#isUnderWay) transport.close(purpose).then(this.#onReached, this.#onReached);
    this.#isUnderWay = true;
    return this.reached;
  }
}
