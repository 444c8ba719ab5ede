/** Ways back of the steps that are done; run in reverse order when a later step fails. */
export function createUndoStack() {
  const steps: (() => Promise<void>)[] = [];
  return {
    push(undo: () => Promise<void>): void {
      steps.push(undo);
    },
    /** @param onFailed Told of each step that could not be taken back; the others are taken back all the same. */
    async run(onFailed: (error: unknown) => void): Promise<void> {
      for (const undo of steps.reverse()) await undo().catch(onFailed);
    },
  };
}
