import type { IRequestStrict } from 'itty-router';
import type { ManagerContext } from '../../lib/context.ts';
import { renameGroup as rename } from '../../lib/groups/group-tools.ts';
import { RenameGroupBody } from '../../lib/groups/request-bodies.ts';
import { check } from '../../lib/http/check.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import { readJson } from '../../lib/http/read-body.ts';
import { requiredVersion } from '../../lib/http/required-version.ts';
import { success } from '../../lib/http/responses.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `POST /api/groups/{name}/rename`: gives the group another name, on condition of `If-Match` when that is sent. */
export async function renameGroup(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const name = pathParam(request, 'name');
  const body = check(await readJson(request, managerBodyBytes), RenameGroupBody);
  const group = await rename(context, name, body.name, requiredVersion(request.headers));
  return success({
    message: `Group \`${name}\` is called \`${group.name}\` now; agents need its new address.`,
    group: group.document,
    etag: group.etag,
  });
}
