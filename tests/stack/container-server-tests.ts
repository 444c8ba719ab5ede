/**
 * Servers in containers beside the stack: the manager starts and holds them, the gateway has no engine and calls them
 * through the manager. The image comes from the test bed's registry (`TESTBED_PORT`, 5555).
 */
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { manage, switchTool } from '../support/manager-api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { allTools } from './agent.ts';
import type { Stack, Test } from './stack.ts';

const registry = `127.0.0.1:${process.env.TESTBED_PORT ?? 5555}`;

export function addContainerServerTests(test: Test, stack: Stack): void {
  const { checkout } = stack;
  const name = `notes-${randomBytes(4).toString('hex')}`;
  const ofServer = ['--filter', `label=svc-mcp.server=${name}`, '--no-trunc', '-q'];
  let container: string;

  test('a server is added by naming an image, and an agent calls it through the gateway', async () => {
    const body = { name, image: `${registry}/mcp/memory:1`, description: 'Remembers facts' };
    const provisioned = await manage(checkout, 'POST', '/api/servers/provision', body);
    container = await checkout.docker('ps', ...ofServer);
    await switchTool(checkout, 'svc-global', `${name}__read_graph`, true);

    assert.is(provisioned.container_running, true);
    assert.is(provisioned.tool_count, 9);
    assert.match(container, /^[0-9a-f]{64}$/);
    // The gateway is another process, which hears of the tick a moment later.
    await waitUntil('its tool is called', async () => /entities/.test(await readGraph()), { limitMs: 5_000 });
  });

  test('it cannot reach the manager over the network that they share', async () => {
    const [facts] = JSON.parse(await checkout.docker('inspect', await checkout.container('manager')));
    const networks: { IPAddress: string }[] = Object.values(facts.NetworkSettings.Networks);
    const asks = networks.map(({ IPAddress }) => `http://${IPAddress}:3701/api/current`);
    const script =
      'Promise.all(process.argv.slice(1).map((url) => fetch(url, { signal: AbortSignal.timeout(3000) })' +
      '.then(({ status }) => status, () => "none"))).then((answers) => console.log(answers.join(" ")))';

    const answers = await checkout.docker('exec', container, 'node', '-e', script, ...asks);

    assert.ok(asks.length > 0);
    assert.is(answers, asks.map(() => 'none').join(' '));
  });

  test('down stops it, and up brings its tools back, in the same container', async () => {
    const before = await allTools(checkout);

    assert.is((await checkout.make('down')).code, 0);
    assert.is(await checkout.docker('ps', ...ofServer), '');
    const startedAt = performance.now();
    assert.is((await checkout.make('up')).code, 0);
    await waitUntil('it is called again', async () => /entities/.test(await readGraph()), {
      limitMs: 15_000,
    });

    assert.ok(performance.now() - startedAt < 15_000);
    assert.equal(await allTools(checkout), before);
    assert.is(await checkout.docker('ps', ...ofServer), container);
  });

  test('compose alone takes it down and up again: the same container, with what it remembers', async () => {
    const fact = { name: 'stack', entityType: 'thing', observations: ['was started without make'] };
    await switchTool(checkout, 'svc-global', `${name}__create_entities`, true);
    const agent = await stack.agent();
    await waitUntil('its new tool is listed', async () =>
      (await agent.listed()).includes(`${name}__create_entities`),
    );
    await agent.call(`${name}__create_entities`, { entities: [fact] });

    for (const words of [['down'], ['up', '-d'], ['restart']]) {
      const { code, stderr } = await checkout.compose(...words);
      assert.is(code, 0, stderr);
    }

    const remembers = async () => /started without make/.test(await readGraph());
    await waitUntil('it is called again', () => remembers().catch(() => false), { limitMs: 60_000 });
    assert.is(await checkout.docker('ps', ...ofServer), container);
  });

  test('make status counts it', async () => {
    assert.match((await checkout.make('status')).stdout, new RegExp(`^${name} +stdio +running +9 `, 'm'));
  });

  async function readGraph(): Promise<string> {
    return (await stack.agent()).call(`${name}__read_graph`, {});
  }
}

/** Undefined when there is one to pull from. */
export async function registryProblem(): Promise<string | undefined> {
  const isThere = await fetch(`http://${registry}/v2/`).then(
    ({ ok }) => ok,
    () => false,
  );
  return isThere ? undefined : `no registry at ${registry}; shared/testbed/testbed.sh up starts one`;
}
