import type { IRequestStrict } from 'itty-router';
import type { StoredTool } from '../../lib/catalog/catalog.ts';
import { jsonResponse } from '../../lib/http/responses.ts';
import { assertReady } from '../../lib/mcp/enter-session.ts';
import type { EntranceContext } from './context.ts';
import type { RegisteredTool } from './gateway-endpoints.ts';

/** `GET /api/v0/tools`: every registered tool of every server, whatever the groups show, by name. */
export function getAllTools(_request: IRequestStrict, context: EntranceContext): Response {
  assertReady(context);
  return jsonResponse(context.catalog.tools().map(toEntry));
}

function toEntry(tool: StoredTool): RegisteredTool {
  const { title, inputSchema, outputSchema, annotations } = JSON.parse(tool.shown);
  return {
    name: tool.fullName,
    server: tool.server,
    description: tool.description,
    title,
    input_schema: inputSchema,
    output_schema: outputSchema,
    annotations,
  };
}
