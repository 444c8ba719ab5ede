import { CliFailure } from './cli-failure.ts';

/**
 * What a registration without `replace` was refused for, as a person can judge it: that the name is taken, and whose
 * tools that would change. Undefined for any other failure.
 */
export function whatItReplaces(error: unknown): string | undefined {
  if (!(error instanceof CliFailure) || error.refusal?.code !== 'conflict') return undefined;
  const { server, affected_groups: groups, origin_changes: isAnother } = toRecord(error.refusal.details);
  if (typeof server !== 'string') return undefined;
  const names = Object.keys(toRecord(groups));
  const users = names.length === 0 ? 'No group uses it.' : `Used by ${names.join(', ')}.`;
  const what = isAnother === true ? '; the new one is another program, image or address' : '';
  return `There is a server named \`${server}\` already${what}. ${users}`;
}

/** A free name like the one that is taken, where the service knows one. */
export function otherNameFor(error: unknown): string | undefined {
  const { suggested_name: name } = toRecord(error instanceof CliFailure ? error.refusal?.details : undefined);
  return typeof name === 'string' ? name : undefined;
}

/**
 * What a registration would lose of what the server that is there keeps in its container. Undefined for any other
 * failure.
 */
export function whatItLoses(error: unknown): string | undefined {
  if (!(error instanceof CliFailure) || error.refusal?.code !== 'data_at_risk') return undefined;
  const { paths, count } = toRecord(error.refusal.details);
  const shown = Array.isArray(paths) ? paths.map(String) : [];
  if (shown.length === 0) return 'What it keeps in its container would be lost.';
  const more = typeof count === 'number' && count > shown.length ? ` and ${count - shown.length} more` : '';
  return `What it keeps in its container would be lost: ${shown.join(', ')}${more}.`;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
