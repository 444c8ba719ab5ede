import { Failure } from '../../failure.ts';
import type { Params } from '../../json-rpc/client-messages.ts';
import { passedOn } from '../../json-rpc/gateway-path.ts';
import type { GroupView } from '../views/group-views.ts';

/**
 * `tools/list` (server/tools; server/utilities/pagination; mcp-spec rule 33). The whole list is one string made
 * once per version of the group. A cursor names the last tool of its page, so that edits do not shift pages.
 */
export function listTools(params: Params, view: GroupView, pageSize: number): string {
  const cursor = params.cursor;
  if (pageSize === 0) {
    if (cursor !== undefined) throw badCursor();
    return view.listResult;
  }
  const start = cursor === undefined ? 0 : pageStart(cursor, view);
  const page = view.definitions.slice(start, start + pageSize);
  const last = start + page.length - 1;
  const isLastPage = start + pageSize >= view.definitions.length;
  const next = isLastPage ? '' : `,"nextCursor":${JSON.stringify(toCursor(last, view.names[last] ?? ''))}`;
  return `{"tools":[${page.join(',')}]${next}}`;
}

/** What another gateway gets: each tool with the gateways that it came through. Seldom, so it is made anew each time. */
export function passOn(view: GroupView, gatewayId: string): GroupView {
  const definitions = view.definitions.map((definition) => passedOn(definition, gatewayId));
  return { ...view, definitions, listResult: `{"tools":[${definitions.join(',')}]}` };
}

function toCursor(index: number, name: string): string {
  return btoa(encodeURIComponent(JSON.stringify([index, name])));
}

/** Where the page after the cursor's tool starts; by its old place when that tool has left the group. */
function pageStart(cursor: unknown, view: GroupView): number {
  const [index, name] = fromCursor(cursor);
  const at = view.names.indexOf(name);
  return at < 0 ? Math.min(index, view.names.length) : at + 1;
}

function fromCursor(cursor: unknown): [number, string] {
  if (typeof cursor !== 'string') throw badCursor();
  try {
    const [index, name] = JSON.parse(decodeURIComponent(atob(cursor)));
    if (Number.isInteger(index) && index >= 0 && typeof name === 'string') return [index, name];
  } catch {
    // Not one of ours: answered below like any other.
  }
  throw badCursor();
}

export function badCursor(): Failure {
  return new Failure('invalid_params', '`params.cursor` is not a cursor that this endpoint issued.');
}
