import type { IRequestStrict } from 'itty-router';
import type { ToolsContext } from '../context.ts';
import { SetToolBody, switchTool, ToggleBody } from '../groups/switch-tool.ts';

/** `POST /api/tools/toggle`: toggles a tool, or sets it to `enabled`. */
export function postToolsToggle(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return switchTool(request, context, ToggleBody);
}

/** `POST /api/tools/enable`. */
export function postToolsEnable(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return switchTool(request, context, SetToolBody, true);
}

/** `POST /api/tools/disable`. */
export function postToolsDisable(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return switchTool(request, context, SetToolBody, false);
}
