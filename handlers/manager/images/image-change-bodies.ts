import { object } from 'superstruct';
import type { AvailableUpdate } from '../../../lib/containers/images/available-updates.ts';
import { updateRecord } from '../../../lib/containers/images/shown-images.ts';
import { problemsOf } from '../../../lib/definitions/some-problems.ts';
import { Failure } from '../../../lib/failure.ts';
import { check } from '../../../lib/json/check.ts';
import { flag } from '../../../lib/json/field-structs.ts';
import type { ImageChange } from '../../../lib/registry/provisioning/image-change.ts';
import type { ImageChangeOptions } from '../../../lib/registry/registry.ts';
import type { ChangedImage, CheckedUpdate } from '../servers/answers.ts';

/** The bodies and answers of `POST /api/servers/{name}/update` and `/rollback`. An absent body means the defaults. */

const options = {
  discard_data: flag('Files of the container outside of volumes may be lost.'),
  dry_run: flag('Only starts a server of the other image, compares the tools, and removes it again.'),
};

export const UpdateBody = object({
  ...options,
  check: flag('Only asks the registry for a newer image; goes with no other field.'),
});
export const RollbackBody = object(options);

export interface UpdateRequest extends ImageChangeOptions {
  /** Only asks the registry. */
  readonly isCheck: boolean;
}

/** @throws Failure `invalid_params` */
export function parseUpdateRequest(body: unknown): UpdateRequest {
  const { check: isCheck = false, discard_data, dry_run } = check(body, UpdateBody);
  if (isCheck && (discard_data ?? dry_run) !== undefined) {
    throw new Failure('invalid_params', 'Field `check` only asks the registry; it goes with no other field.');
  }
  return { isCheck, ...optionsOf({ discard_data, dry_run }) };
}

/** @throws Failure `invalid_params` */
export function parseRollbackRequest(body: unknown): ImageChangeOptions {
  return optionsOf(check(body, RollbackBody));
}

function optionsOf(fields: { discard_data?: boolean | undefined; dry_run?: boolean | undefined }) {
  return { discardData: fields.discard_data === true, dryRun: fields.dry_run === true };
}

/** The body of the answer to an update (`verb`: `updated`) or a rollback (`rolled back`). */
export function imageChangeAnswer(change: ImageChange, verb: string): ChangedImage {
  const { name, outcome, tools, affectedGroups, warnings, problems = [] } = change;
  return {
    message: message(change, verb),
    name,
    ...(outcome === 'unchanged' ? { unchanged: true } : {}),
    ...(outcome === 'tried' ? { dry_run: true } : {}),
    old_digest: change.oldDigest,
    new_digest: change.newDigest,
    tools,
    ...(Object.keys(affectedGroups).length > 0 ? { affected_groups: affectedGroups } : {}),
    tool_count: change.toolCount,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...problemsOf({ problems }),
  };
}

/** The body of the answer to an update with `check`. */
export function updateCheckAnswer(name: string, update: AvailableUpdate | undefined): CheckedUpdate {
  const message =
    update === undefined
      ? `Server ${name} has the newest image.`
      : `There is a newer image of ${update.reference} for server ${name}; it keeps its own until it is updated.`;
  return { message, name, ...(update === undefined ? {} : { update_available: updateRecord(update) }) };
}

function message({ name, outcome, tools, toolCount, warnings }: ImageChange, verb: string): string {
  if (outcome === 'unchanged') {
    return warnings.length === 0
      ? `Server ${name} has the newest image already; nothing was changed.`
      : `Server ${name} keeps its image; no newer one could be had.`;
  }
  const counts = [
    toolCount === 1 ? '1 tool' : `${toolCount} tools`,
    ...Object.entries(tools).flatMap(([how, { length }]) => (length === 0 ? [] : [`${length} ${how}`])),
  ].join(', ');
  return outcome === 'tried'
    ? `Nothing was changed; server ${name} would be ${verb}: ${counts}.`
    : `Server ${name} is ${verb}: ${counts}.`;
}
