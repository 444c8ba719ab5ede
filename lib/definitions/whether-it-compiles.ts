/** Continues "its outputSchema …"; undefined: official clients compile the schema. */
export function whyNotCompiled(_schema: unknown): string | undefined {
  return undefined;
}
