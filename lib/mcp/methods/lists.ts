import { Failure } from '../../failure.ts';
import type { Params } from '../../json-rpc/client-messages.ts';
import { gatewayIdIn, passedOn } from '../../json-rpc/gateway-path.ts';
import { resultText } from '../../json-rpc/write.ts';
import type { GroupView } from '../views/group-views.ts';
import type { Method } from './scope.ts';

/** The `list` methods: finished lists of a group's view, those of tools in pages. */

/** `tools/list` (server/tools). A client that is another gateway gets each tool with the gateways it came through. */
export const answerListTools: Method = (message, { session, view }, { toolsPageSize, gatewayId }) => {
  const isGateway = gatewayIdIn(session.clientCapabilities) !== undefined;
  const shown = isGateway ? withPaths(view, gatewayId()) : view;
  return resultText(message.id, listTools(message.params, shown, toolsPageSize));
};

/**
 * `prompts/list`, `resources/list` and `resources/templates/list`, on one page. Unknown methods in a group without a
 * server that has such features.
 */
export function listFeatures(
  what: 'prompts' | 'resources',
  result: 'promptsResult' | 'resourcesResult' | 'templatesResult',
): Method {
  return ({ id, params }, { view }) => {
    if (!view.features.can[what])
      throw new Failure('method_not_found', `No server of this group has ${what}.`);
    if (params.cursor !== undefined) throw badCursor();
    return resultText(id, view.features[result]);
  };
}

/**
 * A cursor names the last tool of its page, so that edits do not shift pages (server/utilities/pagination;
 * docs/protocol.md, rule 33).
 */
function listTools(params: Params, view: GroupView, pageSize: number): string {
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

/** Not cached: gateways seldom list. */
function withPaths(view: GroupView, gatewayId: string): GroupView {
  const definitions = view.definitions.map((definition) => passedOn(definition, gatewayId));
  return { ...view, definitions, listResult: `{"tools":[${definitions.join(',')}]}` };
}

function toCursor(index: number, name: string): string {
  return btoa(encodeURIComponent(JSON.stringify([index, name])));
}

/** Where the page after the cursor's tool starts: at the tool's old index when the tool has left the group. */
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
    // Not issued by this gateway: refused below.
  }
  throw badCursor();
}

function badCursor(): Failure {
  return new Failure('invalid_params', '`params.cursor` is not a cursor that this endpoint issued.');
}
