/** A new object with only these members of `from`, so that a handler's context hands on nothing else at run time. */
export function pick<From extends object, Name extends keyof From>(
  from: From,
  ...names: readonly Name[]
): Pick<From, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
