/** Lets everybody else have their turn in the middle of long work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
