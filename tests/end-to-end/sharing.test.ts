/** How many processes there are: one per server whoever calls it, one per session where a server asks for that. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf, isAlive } from '../support/child-processes.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, faultConfig, memoryConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('sharing of servers');
const shared = Array.from({ length: 10 }, (_, at) => `memory-${at}`);
const groups = shared.map((server, at) => ({
  name: `group-${at}`,
  included_tools: [],
  included_servers: [server, shared[(at + 1) % shared.length] ?? ''],
}));
let service: RunningService;

test.before(async () => {
  const own = faultConfig('own', [], { session_mode: 'stateful' });
  const stubborn = faultConfig('stubborn', ['--on-start', 'stubborn']);
  service = await runService({
    configs: configFiles(...shared.map((name) => memoryConfig(name)), own, stubborn),
    groups: {
      ...Object.fromEntries(groups.map((group) => [group.name, group])),
      'svc-global': { name: 'svc-global', included_tools: [], included_servers: ['own', 'stubborn'] },
    },
  });
  await waitUntil('all servers are listed', async () => {
    const counts = await Promise.all([...shared, 'own', 'stubborn'].map((name) => toolsOf(service, name)));
    return counts.every((tools) => tools.length > 0);
  });
});

test.after(() => service?.remove());

/** A stateful server's process that was only started to list its tools is on its way out at first. */
const ownProcesses = () =>
  childrenOf(service.pid(), 'fault-server.mjs').filter((pid) => !stubborn().includes(pid));
const stubborn = () => childrenOf(service.pid(), '--on-start stubborn');

test('100 sessions on 10 groups over 10 servers use 10 processes', async () => {
  const sessions = await Promise.all(
    Array.from({ length: 100 }, (_, at) => openSession(service.groupUrl(`group-${at % groups.length}`))),
  );

  const answers = await Promise.all(
    sessions.flatMap((session, at) =>
      (groups[at % groups.length]?.included_servers ?? []).map((server) =>
        session.request('tools/call', { name: `${server}__read_graph` }),
      ),
    ),
  );

  assert.is(answers.length, 200);
  for (const { body } of answers)
    assert.equal(body.result.structuredContent, { entities: [], relations: [] });
  assert.is(childrenOf(service.pid(), 'server-memory').length, shared.length);
});

test('a stateful server has one process per session, which ends with the session', async () => {
  const sessions = await Promise.all([1, 2, 3].map(() => openSession(service.groupUrl())));
  const pidOf = async ({ request }: (typeof sessions)[number]) =>
    Number((await request('tools/call', { name: 'own__pid' })).body.result.content[0].text);

  const pids = await Promise.all(sessions.map(pidOf));
  const again = await Promise.all(sessions.map(pidOf));
  const [first] = sessions;
  const [firstPid = 0, ...otherPids] = pids;
  await waitUntil('nothing but these runs', () => ownProcesses().length === 3);
  assert.is(await first?.delete(), 204);
  await waitUntil('its process is gone', () => !isAlive(firstPid), { limitMs: 3000 });

  assert.equal(again, pids);
  assert.is(new Set(pids).size, 3);
  assert.equal(
    ownProcesses(),
    otherPids.sort((a, b) => a - b),
  );
});

test('children of a service that was killed are gone 3 s after the next start', async () => {
  const visitor = await openSession(service.groupUrl());
  await visitor.request('tools/call', { name: 'stubborn__echo' });
  const before = [
    ...childrenOf(service.pid(), 'server-memory'),
    ...childrenOf(service.pid(), 'fault-server.mjs'),
  ];
  const [unwilling = 0] = stubborn();

  await service.kill9();
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.ok(isAlive(unwilling), 'ignores that its input was closed');
  const startedAt = performance.now();
  await service.restart();
  await waitUntil('the old ones are gone', () => !before.some(isAlive), {
    limitMs: Math.max(1, 3000 - (performance.now() - startedAt)),
  });

  assert.ok(before.length > shared.length);
});

test.run();
