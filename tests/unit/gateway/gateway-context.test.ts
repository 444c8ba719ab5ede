/** What the gateway's handlers can reach when they run, whatever types say (SECURITY.md, Boundaries). */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayContext } from '../../../handlers/gateway/gateway-context.ts';
import { silentLog } from '../../../lib/log.ts';
import { createManagerContext } from '../../support/manager-context.ts';
import { createRealServices, type RealServices } from '../../support/real-services.ts';

const test = suite('the gateway’s context');
let real: RealServices;

test.before(async () => {
  real = await createRealServices();
});

test.after(async () => void (await real.close()));

function contextOfServices() {
  return gatewayContext(real.services, {
    service: createManagerContext().service,
    log: silentLog,
    version: '0',
    now: () => 0,
    gatewayId: () => 'gateway',
    toolsPageSize: 0,
    reportInternal: () => '',
    isLoaded: real.services.readiness.isStarted,
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
  const context = contextOfServices();

  assert.equal(Object.keys(context).sort(), ['catalog', 'endpoint', 'log', 'metrics', 'service', 'streams']);
  assert.equal(Object.keys(context.service).sort(), [
    'defaultGroup',
    'maxBodyBytes',
    'notLoaded',
    'notReadyBecause',
  ]);
  assert.equal(Object.keys(context.catalog).sort(), ['isLoaded', 'tools']);
  assert.equal(Object.keys(context.metrics), ['render']);
  assert.equal(Object.keys(context.streams), ['open']);
  const members = Object.entries(context.endpoint).map(([name, member]) =>
    typeof member === 'object' ? `${name}: ${Object.keys(member).sort().join(' ')}` : name,
  );
  assert.equal(members.sort(), [
    'answerStreams: immediateTimer open slowCallTimer',
    'calls: begin cancel',
    'clientChannels: of',
    'clientRequests: take',
    'gatewayId',
    'groups: read renamedTo',
    'metrics: countCall',
    'now',
    'reportInternal',
    'resourceUpdates: added removed',
    'seenUris: record serverOf',
    'sessions: create end find read setLogLevel',
    'toolsPageSize',
    'upstreams: request rootsChanged setLogLevel',
    'version',
    'views: read',
  ]);
});

test('nothing in it is the engine, secrets, registration, files or the database, nor a member of those', () => {
  const { services } = real;
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
  const both = [...reachable(contextOfServices())].filter((one) => forbidden.has(one));

  assert.ok(forbidden.size > 40, `${forbidden.size}`);
  assert.equal(both, []);
});

test.run();
