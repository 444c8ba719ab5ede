import type { IRequestStrict } from 'itty-router';
import { readEntry } from '../../../lib/groups/group-tools.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import type { GroupReadingContext } from '../context.ts';
import type { DeletedGroup } from './answers.ts';

/** `DELETE /api/groups/{name}`. */
export async function deleteGroup(request: IRequestStrict, context: GroupReadingContext): Promise<Response> {
  const name = pathParam(request, 'name');
  readEntry(context, name);
  await context.groups.remove(name);
  return success<DeletedGroup>({ message: `Group \`${name}\` is deleted.`, group: name });
}
