import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredServer } from '../../../lib/catalog/catalog.ts';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { createContainerReconciler } from '../../../lib/container-host/reconcile-containers.ts';
import type { ContainerState } from '../../../lib/containers/store/container-store.ts';
import { silentLog } from '../../../lib/log.ts';
import type { UpstreamStatus } from '../../../lib/upstreams/upstreams.ts';

const test = suite('reconciling containers');

type Status = ContainerState['status'];
type State = UpstreamStatus['state'];

/** One server in a container: what the engine says of it, and how our connection to it is. */
interface Situation {
  readonly container?: Status;
  readonly connection?: State;
  readonly config?: Record<string, unknown>;
  readonly problem?: string;
  readonly busy?: readonly string[];
}

function situation({ container = 'running', connection = 'idle', config, problem, busy = [] }: Situation) {
  const document = { name: 'boxed', transport: 'stdio', image: 'a:1', ...config };
  const boxed: StoredServer = {
    name: 'boxed',
    config: parseServerConfig(document),
    tools: [],
    leftOut: [],
    listed: [],
    problems: [],
  };
  const other = parseServerConfig({ name: 'process', transport: 'stdio', command: 'x' });
  const connected: string[] = [];
  const kept: string[][] = [];
  const updated: string[] = [];
  const counted: string[] = [];
  const status = { state: connection } as UpstreamStatus;
  const reconciler = createContainerReconciler({
    containers: { problem: async () => problem },
    containerStore: {
      async reap(listed) {
        kept.push([...listed].sort());
        return ['svc-mcp-stray'];
      },
      async pinFound() {},
      status: (server) => ({
        name: `svc-mcp-${server}`,
        status: container,
        running: container === 'running',
        imageId: undefined,
      }),
    },
    catalog: {
      servers: () => [
        boxed,
        { name: 'process', config: other, tools: [], leftOut: [], listed: [], problems: [] },
      ],
    },
    upstreams: {
      async connect(name) {
        connected.push(name);
        return [];
      },
      status: () => status,
    },
    updates: { poll: async (servers) => void updated.push(...servers.map(({ name }) => name)) },
    busyNames: () => busy,
    isSession: async () => true,
    starts: (start) => start(),
    metrics: { countRepair: (kind) => void counted.push(kind) },
    log: silentLog,
  });
  return { reconciler, connected, kept, updated, counted };
}

/** Whether a look connects to the server in this situation. */
async function reconnects(given: Situation, isFirst = false): Promise<boolean> {
  const { reconciler, connected } = situation(given);
  await reconciler.reconcile(isFirst);
  return connected.includes('boxed');
}

test('a container that runs without a connection gets one', async () => {
  assert.ok(await reconnects({ container: 'running' }));
  assert.ok(await reconnects({ container: 'restarting' }));
});

test('one that was removed by others is brought back', async () => {
  assert.ok(await reconnects({ container: 'not found' }));
});

test('one that was stopped by hand stays stopped, but for the first look', async () => {
  assert.not(await reconnects({ container: 'exited' }));
  assert.ok(await reconnects({ container: 'exited' }, true));
});

test('one that is stopped when idle is not missed when it is gone', async () => {
  const config = { timeouts: { idle_stop_seconds: 60 } };

  assert.not(await reconnects({ container: 'not found', config }));
});

test('connections that are there, begin or failed are left to their supervision', async () => {
  for (const connection of ['connected', 'connecting', 'failed'] as const) {
    assert.not(await reconnects({ connection, container: 'running' }, true), connection);
  }
});

test('a stateful server has no container that must run', async () => {
  assert.not(await reconnects({ config: { session_mode: 'stateful' } }, true));
});

test('a server that somebody works on is left alone', async () => {
  assert.not(await reconnects({ busy: ['boxed'] }, true));
});

test('containers of listed servers, and of those that are being provisioned, are kept', async () => {
  const { reconciler, kept, counted } = situation({ connection: 'connected', busy: ['new'] });

  await reconciler.reconcile(false);

  assert.equal(kept, [['boxed', 'new']]);
  assert.equal(counted, ['reaped']);
});

test('images of servers in containers are compared', async () => {
  const { reconciler, updated } = situation({ connection: 'connected' });

  assert.ok(await reconciler.reconcile(false));

  assert.equal(updated, ['boxed']);
});

test('while the engine is away nothing is concluded', async () => {
  const { reconciler, connected, kept } = situation({ problem: 'away', container: 'unknown' });

  assert.not(await reconciler.reconcile(true));

  assert.equal([connected, kept], [[], []]);
});

test.run();
