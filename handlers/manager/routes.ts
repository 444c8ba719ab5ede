import type { ManagerContext } from '../../lib/context.ts';
import { healthAnswer, readinessAnswer } from '../../lib/http/health.ts';
import { metricsAnswer } from '../../lib/http/metrics-answer.ts';
import { createTable, type Table } from '../../lib/http/route-table.ts';
import { relayPath } from '../../lib/upstreams/relay-lines.ts';
import { approveTool } from './approve-tool.ts';
import { convertServers } from './convert-servers.ts';
import { createGroup } from './create-group.ts';
import { currentGroup } from './current-group.ts';
import { dashboard } from './dashboard.ts';
import { deleteGroup } from './delete-group.ts';
import { deleteServer } from './delete-server.ts';
import { describeGroup } from './describe-group.ts';
import { exposeTool } from './expose-tool.ts';
import { listClients } from './list-clients.ts';
import { listGroups } from './list-groups.ts';
import { listServers } from './list-servers.ts';
import { listTools } from './list-tools.ts';
import { provisionServer } from './provision-server.ts';
import { readGroup } from './read-group.ts';
import { readGroupTools } from './read-group-tools.ts';
import { readServer } from './read-server.ts';
import { readServerLogs } from './read-server-logs.ts';
import { readStatus } from './read-status.ts';
import { readToolChange } from './read-tool-change.ts';
import { registerServer } from './register-server.ts';
import { relayContainerCall } from './relay-container-call.ts';
import { renameGroup } from './rename-group.ts';
import { replaceGroupTools } from './replace-group-tools.ts';
import { restartServer } from './restart-server.ts';
import { rollbackServer } from './rollback-server.ts';
import { secretsStatus } from './secrets-status.ts';
import { disableGroupTool, enableGroupTool } from './set-group-tool.ts';
import { disableTool, enableTool } from './set-tool.ts';
import { staticAsset } from './static-asset.ts';
import { streamEvents } from './stream-events.ts';
import { toggleGroupTool } from './toggle-group-tool.ts';
import { toggleTool } from './toggle-tool.ts';
import { tryTool } from './try-tool.ts';
import { updateDefaultGroup } from './update-default-group.ts';
import { updateServer } from './update-server.ts';

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
