/**
 * Six real servers from npm and PyPI as images, in two versions each: provisioned, called, restarted, updated, rolled back,
 * deleted. Making the images takes minutes, so it needs `LONG=1`.
 */
import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { manage, readServer, replaceTools, toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { leftoversOf, provision } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('real servers as images');
const isLong = process.env.LONG === '1';
if (!isLong) console.error('real servers as images: skipped, they need LONG=1');
const services = isLong ? await openContainerServices() : undefined;
const withImages = services ? test : test.skip;
const prefix = 'svc-mcp-real';
let service: RunningService;
let session: PlainSession;

interface RealServer {
  readonly image: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Done once, after it is provisioned. */
  readonly write?: readonly [tool: string, args: object];
  /** Its answer is the same ever after. */
  readonly read: readonly [tool: string, args: object];
  readonly expected: RegExp;
}

const servers: readonly RealServer[] = [
  {
    image: 'memory',
    write: ['create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['kept'] }] }],
    read: ['read_graph', {}],
    expected: /Ada/,
  },
  {
    image: 'sequential-thinking',
    read: [
      'sequentialthinking',
      { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    ],
    expected: /thoughtNumber/,
  },
  // Its documents are elsewhere: what it says of a question that it refuses is its own.
  {
    image: 'context7',
    fields: { transport: 'streamable_http', port: 8080 },
    read: ['resolve-library-id', {}],
    expected: /query|libraryName|required/i,
  },
  {
    image: 'sqlite',
    fields: { volumes: [{ path: '/data' }] },
    write: ['create_table', { query: 'CREATE TABLE kept (id INTEGER)' }],
    read: ['list_tables', {}],
    expected: /kept/,
  },
  { image: 'time', read: ['get_current_time', { timezone: 'UTC' }], expected: /UTC/ },
  { image: 'calculator', read: ['calculate', { expression: '6*7' }], expected: /42/ },
];

test.before(async () => {
  if (!services) return;
  execFileSync('sh', [new URL('../support/real-images.sh', import.meta.url).pathname, prefix], {
    stdio: 'inherit',
  });
  service = await services.run();
});

test.after(() => services?.close());

function live(image: string): string {
  return `${prefix}/${image}:live`;
}

async function point(image: string, version: 'old' | 'new'): Promise<void> {
  const tagged = services?.docker.getImage(`${prefix}/${image}:${version}`);
  await tagged?.tag({ repo: `${prefix}/${image}`, tag: 'live' });
}

async function call(server: string, [tool, args]: RealServer['read']): Promise<string> {
  const { body } = await session.request('tools/call', { name: `${server}__${tool}`, arguments: args });
  return JSON.stringify(body.result ?? body.error);
}

for (const { image, fields = {}, write, read, expected } of servers) {
  withImages(`${image}: provisioned, called, restarted, updated, rolled back, deleted`, async () => {
    const server = services?.name(image.slice(0, 8)) ?? '';
    const figures: Record<string, unknown> = { image };
    const timed = async <Result>(what: string, work: Promise<Result>): Promise<Result> => {
      const startedAt = performance.now();
      const result = await work;
      figures[what] = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
      return result;
    };
    await point(image, 'old');

    const made = await timed(
      'provision',
      provision(service, { name: server, image: live(image), pull: 'never', ...fields }),
    );
    assert.is(made.status, 201, JSON.stringify(made.body));
    figures.tools = made.body.tool_count;
    await replaceTools(service, 'svc-global', await toolsOf(service, server));
    session = await openSession(service.groupUrl());
    if (write) await call(server, write);
    assert.match(await timed('call', call(server, read)), expected);

    await timed('restart', manage(service, 'POST', `/api/servers/${server}/restart`));
    assert.match(await call(server, read), expected);

    await point(image, 'new');
    await waitUntil(
      'the newer image is offered',
      async () => (await readServer(service, server)).update_available !== undefined,
    );
    assert.match(await call(server, read), expected, 'the newer image is not taken unasked');
    const { tools } = await timed('update', manage(service, 'POST', `/api/servers/${server}/update`, {}));
    figures.added = tools.added.length;
    figures.removed = tools.removed.length;
    figures.changed = tools.changed.length;
    assert.match(await call(server, read), expected);

    await timed('rollback', manage(service, 'POST', `/api/servers/${server}/rollback`, {}));
    assert.match(await call(server, read), expected);

    const { removed } = await timed(
      'delete',
      manage(service, 'DELETE', `/api/servers/${server}?forget_tools=true`),
    );
    figures.volumes = removed.volumes.length;
    assert.equal(services ? await leftoversOf(services, service, server) : [], []);
    console.log(`  ${JSON.stringify(figures)}`);
  });
}

test.run();
