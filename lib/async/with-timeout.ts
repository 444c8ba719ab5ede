/** `answer` if it comes within so many milliseconds, else `otherwise`. Rejects as `answer` does. */
export async function withTimeout<Answer>(
  answer: Promise<Answer>,
  limitMs: number,
  otherwise: Answer,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
