/** The database removed beside servers that live on, and the removal of everything. The stack is down before, and gone after. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { manage } from '../support/manager-api.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Stack, Test } from './stack.ts';

const limitMs = 60_000;

export function addRemovalTests(test: Test, { checkout }: Stack): void {
  const { project } = checkout;

  test('a database that was removed does not make a server’s name taken or its container lost', async () => {
    const names = await serverContainers();
    for (const words of [
      ['up', '-d'],
      ['down', '-v'],
      ['up', '-d'],
    ]) {
      const { code, stderr } = await checkout.compose(...words);
      assert.is(code, 0, stderr);
    }

    const servers = await waitUntil('every server of configs/ has its tools', withTools, { limitMs });
    const ofImages = servers.filter(({ image }) => image !== undefined);
    assert.equal(ofImages.map(({ container_name: name }) => name).sort(), names);
    assert.ok(ofImages.every(({ running }) => running));
    assert.equal(await serverContainers(), names);
  });

  test('make clean removes all of it when the database is gone already, and keeps what people wrote', async () => {
    assert.is((await checkout.compose('down', '-v')).code, 0);
    assert.is.not((await checkout.make('clean')).code, 0);

    const { code, stdout, stderr } = await checkout.make('clean', { YES: '1' });

    assert.is(code, 0, stderr);
    assert.match(stdout, /keeps configs\/, groups\/ and \.env/);
    assert.equal(await serverContainers(), []);
    assert.equal(await checkout.volumes(), []);
    for (const kind of ['volume', 'network'])
      assert.is(await checkout.docker(kind, 'ls', '-q', '--filter', `label=svc-mcp.project=${project}`), '');
    assert.is(await checkout.docker('image', 'ls', '-q', '--filter', `reference=${project}?*`), '');
    for (const path of ['.env', 'configs/everything.json', 'groups/svc-global.json'])
      assert.ok(existsSync(join(checkout.dir, path)));
    assert.match((await checkout.make('clean')).stdout, /There is nothing of the installation/);
  });

  async function serverContainers(): Promise<string[]> {
    const ofProject = ['--filter', `label=svc-mcp.project=${project}`];
    const listed = await checkout.docker('ps', '-a', ...ofProject, '--format', '{{.Names}}');
    return listed === '' ? [] : listed.split('\n').sort();
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API
  async function withTools(): Promise<any[] | undefined> {
    const answer = await manage(checkout, 'GET', '/api/servers').catch(() => undefined);
    const servers: { tool_count: number }[] = answer?.servers ?? [];
    return servers.length > 0 && servers.every(({ tool_count: tools }) => tools > 0) ? servers : undefined;
  }
}
