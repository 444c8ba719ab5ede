import { createTable, type Table } from '../../lib/http/route-table.ts';
import { healthAnswer, readinessAnswer } from '../../lib/server/health.ts';
import { metricsAnswer } from '../../lib/server/metrics-answer.ts';
import { relayPath } from '../../lib/upstreams/relay/relay-lines.ts';
import type { ManagerContext } from './context.ts';
import { createGroup } from './groups/create-group.ts';
import { deleteGroup } from './groups/delete-group.ts';
import { describeGroup } from './groups/describe-group.ts';
import { listClients } from './groups/list-clients.ts';
import { listGroups } from './groups/list-groups.ts';
import { readGroup } from './groups/read-group.ts';
import { readGroupTools } from './groups/read-group-tools.ts';
import { renameGroup } from './groups/rename-group.ts';
import { replaceGroupTools } from './groups/replace-group-tools.ts';
import { disableGroupTool, enableGroupTool } from './groups/set-group-tool.ts';
import { toggleGroupTool } from './groups/toggle-group-tool.ts';
import { convertServers } from './servers/convert-servers.ts';
import { deleteServer } from './servers/delete-server.ts';
import { listServers } from './servers/list-servers.ts';
import { provisionServer } from './servers/provision-server.ts';
import { readServer } from './servers/read-server.ts';
import { readServerLogs } from './servers/read-server-logs.ts';
import { registerServer } from './servers/register-server.ts';
import { relayContainerCall } from './servers/relay-container-call.ts';
import { restartServer } from './servers/restart-server.ts';
import { rollbackServer } from './servers/rollback-server.ts';
import { secretsStatus } from './servers/secrets-status.ts';
import { updateServer } from './servers/update-server.ts';
import { dashboard } from './system/dashboard.ts';
import { readStatus } from './system/read-status.ts';
import { staticAsset } from './system/static-asset.ts';
import { streamEvents } from './system/stream-events.ts';
import { approveTool } from './tools/approve-tool.ts';
import { currentGroup } from './tools/current-group.ts';
import { exposeTool } from './tools/expose-tool.ts';
import { listTools } from './tools/list-tools.ts';
import { readToolChange } from './tools/read-tool-change.ts';
import { disableTool, enableTool } from './tools/set-tool.ts';
import { toggleTool } from './tools/toggle-tool.ts';
import { tryTool } from './tools/try-tool.ts';
import { updateDefaultGroup } from './tools/update-default-group.ts';

/** Every endpoint of the manager set, port 3701 and the admin socket. */
export function managerRoutes(): Table<ManagerContext> {
  return createTable<ManagerContext>()
    .get('/', dashboard)
    .get('/static/*', staticAsset)

    .get('/api/tools', listTools)
    .get('/api/current', currentGroup)
    .post('/api/tools/toggle', toggleTool)
    .post('/api/tools/enable', enableTool)
    .post('/api/tools/disable', disableTool)
    .get('/api/tools/:tool/change', readToolChange)
    .post('/api/tools/:tool/approve', approveTool)
    .post('/api/tools/:tool/expose', exposeTool)
    .post('/api/tools/:tool/try', tryTool)
    .post('/api/update', updateDefaultGroup)

    .get('/api/groups', listGroups)
    .post('/api/groups/:name', createGroup)
    .get('/api/groups/:name', readGroup)
    .put('/api/groups/:name', describeGroup)
    .delete('/api/groups/:name', deleteGroup)
    .post('/api/groups/:name/rename', renameGroup)
    .get('/api/groups/:name/clients', listClients)
    .get('/api/groups/:name/tools', readGroupTools)
    .post('/api/groups/:name/tools', replaceGroupTools)
    .put('/api/groups/:name/tools', replaceGroupTools)
    .post('/api/groups/:name/tools/toggle', toggleGroupTool)
    .post('/api/groups/:name/tools/enable', enableGroupTool)
    .post('/api/groups/:name/tools/disable', disableGroupTool)

    .get('/api/servers', listServers)
    .post('/api/servers', registerServer)
    .post('/api/servers/convert', convertServers)
    .post('/api/servers/provision', provisionServer)
    .get('/api/servers/secrets-status', secretsStatus)
    .get('/api/servers/:name', readServer)
    .delete('/api/servers/:name', deleteServer)
    .post('/api/servers/:name/restart', restartServer)
    .post('/api/servers/:name/update', updateServer)
    .post('/api/servers/:name/rollback', rollbackServer)
    .get('/api/servers/:name/logs', readServerLogs)

    .get('/api/status', readStatus)
    .get('/api/events', streamEvents)
    .post(relayPath, relayContainerCall)
    .get('/healthz', () => healthAnswer())
    .get('/readyz', (_request, { service }) => readinessAnswer(service))
    .get('/metrics', (_request, { metrics }) => metricsAnswer(metrics));
}
