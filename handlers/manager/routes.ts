import { createTable, type Table } from '../../lib/http/route-table.ts';
import { healthAnswer, metricsAnswer, readinessAnswer } from '../../lib/server/probe-answers.ts';
import { relayPath } from '../../lib/upstreams/relay/relay-lines.ts';
import type { ManagerContext } from './context.ts';
import { deleteGroup } from './groups/delete-group.ts';
import { getGroup } from './groups/get-group.ts';
import { getGroupClients } from './groups/get-group-clients.ts';
import { getGroupTools } from './groups/get-group-tools.ts';
import { getGroups } from './groups/get-groups.ts';
import { postGroup } from './groups/post-group.ts';
import { postGroupRename } from './groups/post-group-rename.ts';
import {
  postGroupToolsDisable,
  postGroupToolsEnable,
  postGroupToolsToggle,
} from './groups/post-group-tools-toggle.ts';
import { putGroup } from './groups/put-group.ts';
import { putGroupTools } from './groups/put-group-tools.ts';
import { postServerRollback } from './images/post-server-rollback.ts';
import { postServerUpdate } from './images/post-server-update.ts';
import { postServersProvision } from './images/post-servers-provision.ts';
import { deleteServer } from './servers/delete-server.ts';
import { getSecretsStatus } from './servers/get-secrets-status.ts';
import { getServer } from './servers/get-server.ts';
import { getServerLogs } from './servers/get-server-logs.ts';
import { getServers } from './servers/get-servers.ts';
import { postInternalCalls } from './servers/post-internal-calls.ts';
import { postServerRestart } from './servers/post-server-restart.ts';
import { postServers } from './servers/post-servers.ts';
import { postServersConvert } from './servers/post-servers-convert.ts';
import { getDashboard } from './system/get-dashboard.ts';
import { getEvents } from './system/get-events.ts';
import { getOpenApi } from './system/get-openapi.ts';
import { getStaticAsset } from './system/get-static-asset.ts';
import { getStatus } from './system/get-status.ts';
import { getCurrentGroup } from './tools/get-current-group.ts';
import { getToolChange } from './tools/get-tool-change.ts';
import { getTools } from './tools/get-tools.ts';
import { postToolApprove } from './tools/post-tool-approve.ts';
import { postToolExpose } from './tools/post-tool-expose.ts';
import { postToolTry } from './tools/post-tool-try.ts';
import { postToolsDisable, postToolsEnable, postToolsToggle } from './tools/post-tools-toggle.ts';
import { postUpdate } from './tools/post-update.ts';

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

    .get('/api/openapi.json', getOpenApi())
    .get('/api/status', getStatus)
    .get('/api/events', getEvents)
    .post(relayPath, postInternalCalls)
    .get('/healthz', () => healthAnswer())
    .get('/readyz', (_request, { service }) => readinessAnswer(service))
    .get('/metrics', (_request, { metrics }) => metricsAnswer(metrics));
}
