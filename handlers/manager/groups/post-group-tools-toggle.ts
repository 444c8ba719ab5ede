import type { IRequestStrict } from 'itty-router';
import type { ToolsContext } from '../context.ts';
import { SetGroupToolBody, switchTool, ToggleGroupToolBody } from './switch-tool.ts';

/** `POST /api/groups/{name}/tools/toggle`. */
export function postGroupToolsToggle(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return switchTool(request, context, ToggleGroupToolBody);
}

/** `POST /api/groups/{name}/tools/enable`. */
export function postGroupToolsEnable(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return switchTool(request, context, SetGroupToolBody, true);
}

/** `POST /api/groups/{name}/tools/disable`. */
export function postGroupToolsDisable(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return switchTool(request, context, SetGroupToolBody, false);
}
