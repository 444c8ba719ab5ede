/** Undo functions of the steps that are done; run in reverse order when a later step fails. */
export function createUndoStack() {
  const steps: (() => Promise<unknown>)[] = [];
  return {
    push(undo: () => Promise<unknown>): void {
      steps.push(undo);
    },
    /**
     * Resolves with whether every step was undone.
     * @param onFailed Called for each step that could not be undone; the others are undone all the same.
     */
    async run(onFailed: (error: unknown) => void): Promise<boolean> {
      let isWhole = true;
      for (const undo of steps.reverse()) {
        await undo().catch((error: unknown) => {
          isWhole = false;
          onFailed(error);
        });
      }
      return isWhole;
    },
  };
}

export type PushUndo = ReturnType<typeof createUndoStack>['push'];
