/** What the stack outlives: its database, and going down as a whole. `LONG=1` goes down twenty times instead of three. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { manage, switchTool } from '../support/manager-api.ts';
import { waitUntil } from '../support/wait-until.ts';
import { allTools, assertCalls, assertWelcomes } from './agent.ts';
import type { Stack, Test } from './stack.ts';

const cycles = process.env.LONG === '1' ? 20 : 3;
const backWithinMs = 15_000;

export function addRecoveryTests(test: Test, stack: Stack): void {
  const { checkout } = stack;

  test('the database restarted under load loses nothing', async () => {
    const { tools: before } = await manage(checkout, 'GET', '/api/current');
    const agent = await stack.agent();
    const load = agent.startLoad();
    await waitUntil('there is load', () => load.calls() > 20);

    await checkout.docker('restart', await checkout.container('postgres'));
    const { tools } = await waitUntil('a switch is taken', () =>
      switchTool(checkout, 'svc-global', 'everything__get-env', true).catch(() => undefined),
    );
    await assertWelcomes(checkout);

    assert.equal(await load.stop(), []);
    assert.equal(tools, [...before, 'everything__get-env']);
    await waitUntil('agents see it', async () => (await agent.listed()).length === tools.length);
    const file = JSON.parse(readFileSync(join(checkout.dir, 'groups/svc-global.json'), 'utf8'));
    assert.equal(file.included_tools, tools);
  });

  test(`down and up ${cycles} times: every tool is back within 15 s of up, without register`, async () => {
    const environmentFile = readFileSync(join(checkout.dir, '.env'), 'utf8');
    const before = await allTools(checkout);
    const times: number[] = [];
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const down = await checkout.make('down');
      assert.is(down.code, 0, down.stderr);
      assert.is(await checkout.container('manager'), '');

      const startedAt = performance.now();
      const up = await checkout.make('up');
      assert.is(up.code, 0, up.stderr);
      await waitUntil('every tool is back', async () => (await allTools(checkout)).length === before.length, {
        limitMs: 30_000,
      });
      times.push(Math.round(performance.now() - startedAt));
      await assertCalls(await stack.agent());
    }
    console.log(`measured: make up until every tool is back, ms: ${times.join(' ')}`);

    assert.equal(await allTools(checkout), before);
    assert.ok(Math.max(...times) <= backWithinMs, `${times}`);
    assert.is(readFileSync(join(checkout.dir, '.env'), 'utf8'), environmentFile);
  });

  test('make down stops everything and keeps the data', async () => {
    assert.is((await checkout.make('down')).code, 0);

    for (const service of ['gateway', 'manager', 'postgres']) {
      assert.is(await checkout.container(service), '');
    }
    assert.match((await checkout.make('status')).stdout, /`make up`/);
    assert.is((await checkout.volumes()).length, 4);
  });
}
