/**
 * The engine itself is restarted under a steady load of calls. Only with `LONG=1`, where the test bed started the engine,
 * and while nobody else uses it.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { healedWithinMs, openLoadedContainer } from '../support/loaded-container.ts';
import { readServer } from '../support/manager-api.ts';
import type { PlainSession } from '../support/mcp-client.ts';
import type { RunningService } from '../support/run-service.ts';
import { startLoad } from '../support/steady-load.ts';
import { isOwnEngine, restartEngine } from '../support/testbed-engine.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('an engine that is restarted');
const isWanted = process.env.LONG === '1' && isOwnEngine();
if (!isWanted)
  console.error('engine restart: skipped, it needs LONG=1 and an engine that the test bed started');
const services = isWanted ? await openContainerServices() : undefined;
const withOwnEngine = services ? test : test.skip;
const rounds = 5;
const server = services?.name('engine') ?? 'engine';
const tool = `${server}__echo`;
let service: RunningService;
let session: PlainSession;

test.before(async () => {
  if (services) ({ service, session } = await openLoadedContainer(services, server));
});

test.after(() => services?.close());

withOwnEngine('tools stay listed, and calls succeed soon after it is back', async () => {
  const load = startLoad(session, tool, { message: 'steady' });
  const healedMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const restarted = restartEngine(3_000, async () => services?.docker.ping());
    // Until it has ended its containers, the engine goes on telling of them.
    const isUnknown = async () => (await readServer(service, server)).status === 'unknown';
    await waitUntil('its status is unknown', isUnknown, { limitMs: 35_000 });
    assert.is((await session.request('tools/list')).body.result.tools.length, 1);
    await restarted;

    const backAt = performance.now();
    const isHealed = () => load.lastSuccess() > backAt;
    await waitUntil('calls succeed', isHealed, { limitMs: healedWithinMs, everyMs: 50 });
    healedMs.push(load.lastSuccess() - backAt);
    await waitUntil('it runs', async () => (await readServer(service, server)).status === 'running');
  }
  await load.stop();

  assert.equal(load.broken, []);
  assert.is((await services?.containersOf(server))?.length, 1);
  console.log(`  healed in ${Math.round(Math.max(...healedMs))} ms at worst after the engine answered`);
});

test.run();
