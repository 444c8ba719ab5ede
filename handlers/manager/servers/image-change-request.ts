import { boolean, object, optional } from 'superstruct';
import { Failure } from '../../../lib/failure.ts';
import { check } from '../../../lib/json/check.ts';
import type { ImageChangeOptions } from '../../../lib/registry/registry.ts';

/** The bodies of `POST /api/servers/{name}/update` and `/rollback`; an absent one asks for nothing special. */

const UpdateRequest = object({
  discard_data: optional(boolean()),
  dry_run: optional(boolean()),
  check: optional(boolean()),
});
const RollbackRequest = object({ discard_data: optional(boolean()), dry_run: optional(boolean()) });

export interface UpdateRequest extends ImageChangeOptions {
  /** The registry is asked, and nothing else done. */
  readonly isCheck: boolean;
}

/** @throws Failure `invalid_params` */
export function parseUpdateRequest(body: unknown): UpdateRequest {
  const { check: isCheck = false, discard_data, dry_run } = check(body, UpdateRequest);
  if (isCheck && (discard_data ?? dry_run) !== undefined) {
    throw new Failure('invalid_params', 'Field `check` only asks the registry; it goes with no other field.');
  }
  return { isCheck, ...optionsOf({ discard_data, dry_run }) };
}

/** @throws Failure `invalid_params` */
export function parseRollbackRequest(body: unknown): ImageChangeOptions {
  return optionsOf(check(body, RollbackRequest));
}

function optionsOf(fields: { discard_data?: boolean | undefined; dry_run?: boolean | undefined }) {
  return { discardData: fields.discard_data === true, dryRun: fields.dry_run === true };
}
