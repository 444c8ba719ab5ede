import type { FailureCode } from '../../../lib/failure.ts';

/** What calls that make a server may be answered with, for their descriptions. */

const ofStoring: readonly FailureCode[] = ['conflict', 'database_unavailable', 'storage_failed'];

/** Of files that are kept elsewhere. */
const ofReadOnlyFiles: readonly FailureCode[] = ['config_read_only', 'secret_read_only'];

/** Of every call that starts a container. */
export const ofImages: readonly FailureCode[] = [
  ...ofStoring,
  'image_not_allowed',
  'mount_not_allowed',
  'data_at_risk',
  'provision_failed',
];

/** Of a new server in a container. */
export const ofProvisioning: readonly FailureCode[] = [
  ...ofImages,
  ...ofReadOnlyFiles,
  'secret_needs_admin',
  'mount_needs_admin',
  'replace_needs_admin',
];

/** "`a`, `b` and `c`", for what a struct of details has. */
export function fieldNames({ schema }: { readonly schema: object }): string {
  const names = Object.keys(schema).map((name) => `\`${name}\``);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}

export const ofRegistering: readonly FailureCode[] = [
  ...ofProvisioning,
  'command_needs_admin',
  'upstream_not_allowed',
  'upstream_unavailable',
  'upstream_timeout',
];
