/**
 * What agents get from a server in a container is what its image says: every definition, and a result of every tool of
 * the official images, is deep-equal to that of the same image run without the gateway.
 */
import { ResultSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { connectDirectly, type DirectConnection } from '../support/direct-connection.ts';
import { manage, replaceTools } from '../support/manager-api.ts';
import { connectClient, openSession, type PlainSession } from '../support/mcp-client.ts';
import { provision } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';
import { comparable } from './compared-servers.ts';
import { containerFilesystemCalls, everythingCalls, memoryCalls, type SampleCall } from './sample-calls.ts';

const test = suite('results of servers in containers');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
let service: RunningService;
let session: PlainSession;

interface Compared {
  readonly server: string;
  readonly image: string;
  readonly calls: readonly SampleCall[];
  readonly direct: DirectConnection;
}

const compared: Compared[] = [];

async function compare(image: string, calls: readonly SampleCall[]): Promise<void> {
  if (!services) return;
  const server = services.name(image.slice(0, 10));
  const { status, body } = await provision(service, { name: server, image: testImage(image) });
  assert.is(status, 201, JSON.stringify(body));
  const direct = await connectDirectly(services.directly(testImage(image)));
  compared.push({ server, image, calls, direct });
}

test.before(async () => {
  if (!services) return;
  service = await services.run();
  await compare('everything', everythingCalls);
  await compare('filesystem', containerFilesystemCalls);
  await compare('memory', memoryCalls);
  const { servers } = await manage(service, 'GET', '/api/tools');
  const names = compared.flatMap(({ server }) => servers[server].map(({ name }: { name: string }) => name));
  await replaceTools(service, 'svc-global', names);
  session = await openSession(service.groupUrl());
});

test.after(() => services?.close());

/** The names of the two containers differ, and each has its own in its environment. */
function withoutHostName(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/\\"HOSTNAME\\": \\"[0-9a-f]+\\"/g, '\\"HOSTNAME\\"'));
}

withEngine('every definition is the server’s own but for its name', async () => {
  const { tools } = (await session.request('tools/list')).body.result;

  for (const { server, direct } of compared) {
    const listed = await direct.request('tools/list');
    const own = 'result' in listed ? listed.result.tools : [];
    const through = tools.filter(({ name }: { name: string }) => name.startsWith(`${server}__`));
    assert.equal(
      through.map((tool: { name: string }) => ({ ...tool, name: tool.name.slice(server.length + 2) })),
      own,
    );
  }
});

withEngine('a result of every tool is deep-equal', async () => {
  for (const { server, direct, calls } of compared) {
    for (const { tool, args } of calls) {
      const directly = await direct.request('tools/call', { name: tool, arguments: args });
      const { body } = await session.request('tools/call', { name: `${server}__${tool}`, arguments: args });
      const through = 'result' in body ? { result: body.result } : { error: body.error };
      assert.equal(withoutHostName(comparable(through)), withoutHostName(comparable(directly)), tool);
    }
  }
});

withEngine('a call through the gateway and its progress reach the container', async () => {
  const { client, close } = await connectClient(service.groupUrl());
  const [everything] = compared;
  const heard: number[] = [];

  const params = {
    name: `${everything?.server}__trigger-long-running-operation`,
    arguments: { duration: 0.3, steps: 3 },
  };
  await client.request({ method: 'tools/call', params }, ResultSchema, {
    onprogress: ({ progress }) => heard.push(progress),
  });

  assert.equal(heard, [1, 2, 3]);
  await close();
});

withEngine('a call through the attach stream costs next to nothing', async () => {
  const [everything] = compared;
  const args = { message: 'x' };
  const direct: number[] = [];
  const through: number[] = [];

  for (let round = 0; round < 300; round += 1) {
    direct.push(
      await timeOf(() => everything?.direct.request('tools/call', { name: 'echo', arguments: args })),
    );
    const name = `${everything?.server}__echo`;
    through.push(await timeOf(() => session.request('tools/call', { name, arguments: args })));
  }

  console.log(
    `  p50 of a call: ${median(direct)} ms directly, ${median(through)} ms through HTTP and gateway`,
  );
});

withEngine('deleted tools vanish from the lists of agents, who are told', async () => {
  const memory = compared.at(-1);
  const { client, close } = await connectClient(service.groupUrl());
  let told = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    told += 1;
  });
  await waitUntil('its stream is open', async () => {
    const metrics = await (await fetch(`${service.gatewayUrl}/metrics`)).text();
    return /^svc_mcp_event_streams [1-9]/m.test(metrics);
  });

  const { affected_groups } = await manage(service, 'DELETE', `/api/servers/${memory?.server}`);

  assert.equal(affected_groups, ['svc-global']);
  await waitUntil('they are told', () => told);
  const { tools } = await client.listTools();
  assert.not.ok(tools.some(({ name }) => name.startsWith(`${memory?.server}__`)));
  assert.equal(await services?.containersOf(memory?.server ?? ''), []);
  await close();
});

async function timeOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(times: readonly number[]): string {
  return ([...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0).toFixed(2);
}

test.run();
