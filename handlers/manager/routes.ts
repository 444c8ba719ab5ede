import { createTable, type Table } from '../../lib/http/route-table.ts';
import { healthAnswer, readinessAnswer } from '../../lib/server/health.ts';
import { metricsAnswer } from '../../lib/server/metrics-answer.ts';
import { relayPath } from '../../lib/upstreams/relay/relay-lines.ts';
import type { ManagerContext } from './context.ts';
import { postGroup } from './groups/create-group.ts';
import { deleteGroup } from './groups/delete-group.ts';
import { putGroup } from './groups/describe-group.ts';
import { getGroupClients } from './groups/list-clients.ts';
import { getGroups } from './groups/list-groups.ts';
import { getGroup } from './groups/read-group.ts';
import { getGroupTools } from './groups/read-group-tools.ts';
import { postGroupRename } from './groups/rename-group.ts';
import { putGroupTools } from './groups/replace-group-tools.ts';
import { postGroupToolsDisable, postGroupToolsEnable } from './groups/set-group-tool.ts';
import { postGroupToolsToggle } from './groups/toggle-group-tool.ts';
import { postServersConvert } from './servers/convert-servers.ts';
import { deleteServer } from './servers/delete-server.ts';
import { getServers } from './servers/list-servers.ts';
import { postServersProvision } from './servers/provision-server.ts';
import { getServer } from './servers/read-server.ts';
import { getServerLogs } from './servers/read-server-logs.ts';
import { postServers } from './servers/register-server.ts';
import { postInternalCalls } from './servers/relay-container-call.ts';
import { postServerRestart } from './servers/restart-server.ts';
import { postServerRollback } from './servers/rollback-server.ts';
import { getSecretsStatus } from './servers/secrets-status.ts';
import { postServerUpdate } from './servers/update-server.ts';
import { getDashboard } from './system/dashboard.ts';
import { getStatus } from './system/read-status.ts';
import { getStaticAsset } from './system/static-asset.ts';
import { getEvents } from './system/stream-events.ts';
import { postToolApprove } from './tools/approve-tool.ts';
import { getCurrentGroup } from './tools/current-group.ts';
import { postToolExpose } from './tools/expose-tool.ts';
import { getTools } from './tools/list-tools.ts';
import { getToolChange } from './tools/read-tool-change.ts';
import { postToolsDisable, postToolsEnable } from './tools/set-tool.ts';
import { postToolsToggle } from './tools/toggle-tool.ts';
import { postToolTry } from './tools/try-tool.ts';
import { postUpdate } from './tools/update-default-group.ts';

/** Every endpoint of the manager set, port 3701 and the admin socket. */
export function managerRoutes(): Table<ManagerContext> {
  return createTable<ManagerContext>()
    .get('/', getDashboard)
    .get('/static/*', getStaticAsset)

    .get('/api/tools', getTools)
    .get('/api/current', getCurrentGroup)
    .post('/api/tools/toggle', postToolsToggle)
    .post('/api/tools/enable', postToolsEnable)
    .post('/api/tools/disable', postToolsDisable)
    .get('/api/tools/:tool/change', getToolChange)
    .post('/api/tools/:tool/approve', postToolApprove)
    .post('/api/tools/:tool/expose', postToolExpose)
    .post('/api/tools/:tool/try', postToolTry)
    .post('/api/update', postUpdate)

    .get('/api/groups', getGroups)
    .post('/api/groups/:name', postGroup)
    .get('/api/groups/:name', getGroup)
    .put('/api/groups/:name', putGroup)
    .delete('/api/groups/:name', deleteGroup)
    .post('/api/groups/:name/rename', postGroupRename)
    .get('/api/groups/:name/clients', getGroupClients)
    .get('/api/groups/:name/tools', getGroupTools)
    .post('/api/groups/:name/tools', putGroupTools)
    .put('/api/groups/:name/tools', putGroupTools)
    .post('/api/groups/:name/tools/toggle', postGroupToolsToggle)
    .post('/api/groups/:name/tools/enable', postGroupToolsEnable)
    .post('/api/groups/:name/tools/disable', postGroupToolsDisable)

    .get('/api/servers', getServers)
    .post('/api/servers', postServers)
    .post('/api/servers/convert', postServersConvert)
    .post('/api/servers/provision', postServersProvision)
    .get('/api/servers/secrets-status', getSecretsStatus)
    .get('/api/servers/:name', getServer)
    .delete('/api/servers/:name', deleteServer)
    .post('/api/servers/:name/restart', postServerRestart)
    .post('/api/servers/:name/update', postServerUpdate)
    .post('/api/servers/:name/rollback', postServerRollback)
    .get('/api/servers/:name/logs', getServerLogs)

    .get('/api/status', getStatus)
    .get('/api/events', getEvents)
    .post(relayPath, postInternalCalls)
    .get('/healthz', () => healthAnswer())
    .get('/readyz', (_request, { service }) => readinessAnswer(service))
    .get('/metrics', (_request, { metrics }) => metricsAnswer(metrics));
}
