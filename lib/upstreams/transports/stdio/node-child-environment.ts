/**
 * What a child inherits: what programs need to find files, people and languages, and what its config gives it.
 * Our own environment holds passwords and tokens and is never passed on.
 */
const inherited = /^(PATH|HOME|LANG|LC_[A-Z]+|TZ|TMPDIR|USER|LOGNAME|SHELL|TERM)$/;

export type Environment = Readonly<Record<string, string | undefined>>;

/** @param markers Win over the config, so that no child can hide from `reapOrphans`. */
export function childEnvironment(
  parent: Environment,
  own: Environment,
  markers: Environment,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && inherited.test(name)) environment[name] = value;
  }
  for (const [name, value] of [...Object.entries(own), ...Object.entries(markers)]) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
