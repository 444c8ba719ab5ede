import { createTable, type Table } from '../../lib/http/route-table.ts';
import { healthAnswer, metricsAnswer, readinessAnswer } from '../../lib/server/probe-answers.ts';
import type { GatewayContext } from './context.ts';
import { deleteGroupMcp } from './delete-group-mcp.ts';
import { getAllTools } from './get-all-tools.ts';
import { getGroupMcp } from './get-group-mcp.ts';
import { postGroupMcp } from './post-group-mcp.ts';

/** Every endpoint of the gateway set, port 3700. */
export function gatewayRoutes(): Table<GatewayContext> {
  return createTable<GatewayContext>()
    .post('/v0/groups/:group/mcp', postGroupMcp)
    .get('/v0/groups/:group/mcp', getGroupMcp)
    .delete('/v0/groups/:group/mcp', deleteGroupMcp)
    .post('/mcp', postGroupMcp)
    .get('/mcp', getGroupMcp)
    .delete('/mcp', deleteGroupMcp)
    .get('/api/v0/tools', getAllTools)
    .get('/healthz', () => healthAnswer())
    .get('/readyz', (_request, { service }) => readinessAnswer(service))
    .get('/metrics', (_request, { metrics }) => metricsAnswer(metrics));
}
