/** What the gateway's handlers can reach when they run, whatever types say (SECURITY.md, Boundaries). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayContext } from '../../../handlers/gateway/gateway-context.ts';
import { stillStarting } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import type { Listeners } from '../../../lib/server/listeners/node-listeners.ts';
import type { ServiceInfo } from '../../../lib/service-info.ts';
import { createServices, type Services } from '../../../lib/services/node-services.ts';
import { readSettings } from '../../../lib/settings/settings.ts';

const test = suite('the gateway’s context');
const dir = mkdtempSync(join(tmpdir(), 'svc-context-'));
const listeners = { managerUrl: 'http://127.0.0.1:1', gatewayUrl: 'http://127.0.0.1:2' } as Listeners;
let services: Services;

test.before(async () => {
  const settings = readSettings({ DATA_DIR: dir, GROUPS_DIR: join(dir, 'groups') });
  services = await createServices(settings, {
    listeners,
    version: '0',
    gatewayCommand: () => 'gateway',
    log: silentLog,
  });
});

test.after(async () => {
  clearInterval(services.reaping);
  services.resourceUpdates.close();
  await services.database.close();
  rmSync(dir, { recursive: true, force: true });
});

function contextOfParts() {
  const service: ServiceInfo = {
    version: '0',
    defaultGroup: 'svc-global',
    gatewayUrl: () => '',
    managerUrl: () => '',
    gatewayNeedsToken: false,
    gatewayCommand: () => 'node /opt/gateway/bin/gateway.js',
    groupsDir: 'groups',
    maxBodyBytes: 1,
    allowedImages: [],
    notReadyBecause: async () => undefined,
    notLoaded: stillStarting,
  };
  return gatewayContext(services, {
    service,
    log: silentLog,
    version: '0',
    now: () => 0,
    gatewayId: () => 'gateway',
    toolsPageSize: 0,
    reportInternal: () => '',
    isLoaded: services.readiness.isStarted,
  });
}

/** Every object and function that is a member of `value`, or of such a member. */
function reachable(value: unknown, found = new Set<unknown>()): Set<unknown> {
  const mayHaveMembers = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (!mayHaveMembers || found.has(value)) return found;
  found.add(value);
  for (const member of Object.values(value)) reachable(member, found);
  return found;
}

test('it has its members and no others', () => {
  const context = contextOfParts();

  assert.equal(Object.keys(context).sort(), ['catalog', 'endpoint', 'log', 'metrics', 'service', 'streams']);
  assert.equal(Object.keys(context.catalog).sort(), ['isLoaded', 'tools']);
  assert.equal(Object.keys(context.endpoint).sort(), [
    'answerStreams',
    'calls',
    'clientChannels',
    'clientRequests',
    'gatewayId',
    'groups',
    'metrics',
    'now',
    'reportInternal',
    'resourceUpdates',
    'seenUris',
    'sessions',
    'toolsPageSize',
    'upstreams',
    'version',
    'views',
  ]);
  assert.equal(Object.keys(context.endpoint.upstreams).sort(), ['request', 'rootsChanged', 'setLogLevel']);
  assert.equal(Object.keys(context.endpoint.groups).sort(), ['isLoaded', 'read', 'renamedTo']);
});

test('nothing in it is the engine, secrets, registration, files or the database, nor a member of those', () => {
  const forbidden = reachable([
    services.host,
    services.registry,
    services.secrets,
    services.files,
    services.database,
    ...[services.groups.create, services.catalog.store, services.catalog.remove],
    ...[
      services.upstreams.prepare,
      services.upstreams.install,
      services.upstreams.remove,
      services.upstreams.restart,
    ],
  ]);
  const both = [...reachable(contextOfParts())].filter((one) => forbidden.has(one));

  assert.ok(forbidden.size > 40, `${forbidden.size}`);
  assert.equal(both, []);
});

test.run();
