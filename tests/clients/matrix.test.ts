/**
 * Clients of others with everything that they can do through the gateway, next to what `docs/clients.md` says they can:
 * the table and what ran are the same, in both directions.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientNames, openSdkClients, type SdkClient } from '../../scripts/clients/sdk-clients.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { projectDir } from '../support/service-command.ts';
import { everythingConfig, faultConfig } from '../support/test-servers.ts';
import { type Feature, features, type Place, type World } from './features.ts';
import { runClient, type StepResult } from './run-client.ts';
import { type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.ts';
import { registerAll } from './support/register-all.ts';
import { readClientsTable } from './table.ts';

const isLong = process.env.LONG === '1';
const official: readonly string[] = ['typescript-v1', 'typescript-v2', 'python-1', 'python-2'];
if (!isLong) console.error('features of clients: other than the official four skipped, they need LONG=1');
const test = suite('clients of others');
const clients = await openSdkClients();
const table = readClientsTable();
const servers = ['told', 'asking', 'everything'];
const token = 'a-token-for-the-clients-of-others';
const names = [...new Set(features.map(({ name }) => name))];
let service: RunningService;
let proxy: CuttingProxy;
let journal: string;

test.before(async () => {
  service = await runService({
    readyMs: 120_000,
    env: { GATEWAY_TOKEN: token },
    groups: { all: { name: 'all', description: '', included_tools: [], included_servers: servers } },
  });
  journal = join(service.dir, 'told.jsonl');
  writeFileSync(journal, '');
  // Without logging its sessions share a connection, which is what most servers have.
  const told = faultConfig('told', ['--on-start', 'no_logging', '--journal', journal]);
  const asking = faultConfig('asking', [], { session_mode: 'stateful' });
  await registerAll(service, told, asking, everythingConfig());
  proxy = await startCuttingProxy(service.gatewayUrl);
});

test.after(async () => {
  await proxy?.close();
  await service?.remove();
});

function heard(): string[] {
  const entries = readFileSync(journal, 'utf8').trim().split('\n').filter(Boolean);
  return entries.map((line) => {
    const { method, params } = JSON.parse(line);
    return method === 'tools/call' ? params.name : String(method);
  });
}

async function runAt(
  place: Place,
  client: SdkClient,
  found: readonly Feature[],
): Promise<readonly StepResult[]> {
  const url = service.groupUrl('all');
  const steps = found.flatMap((feature) => feature.steps);
  if (place === 'cut') {
    proxy.arm();
    return runClient(client, { url: proxy.urlOf(url), token }, steps);
  }
  return runClient(client, { url, token: place === 'refused' ? 'another' : token }, steps);
}

/** What each feature came to: `yes`, or why not. */
async function tryAll(client: SdkClient): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  for (const place of ['gateway', 'cut', 'refused'] as const) {
    // Refused, it would ask a person to log in.
    if (place === 'refused' && client.bridge !== undefined) continue;
    const found = features.filter((feature) => feature.place === place);
    const start = { heard: heard().length, cuts: proxy.cuts(), resumptions: proxy.resumptions() };
    const results = [...(await runAt(place, client, found))];
    const world: World = {
      heard: heard().slice(start.heard),
      cuts: proxy.cuts() - start.cuts,
      resumptions: proxy.resumptions() - start.resumptions,
    };
    for (const feature of found) {
      const outcome = outcomeOf(feature, results.splice(0, feature.steps.length), world);
      if ((outcomes.get(feature.name) ?? 'yes') === 'yes') outcomes.set(feature.name, outcome);
    }
  }
  return outcomes;
}

function outcomeOf(feature: Feature, results: readonly StepResult[], world: World): string {
  try {
    feature.check(results, world);
    return 'yes';
  } catch (error) {
    return `${(error as Error).message} ${JSON.stringify(results).slice(0, 1_000)}`;
  }
}

test('the table names every client and feature, and says why where there is a no', () => {
  assert.equal([...table.cells.keys()], [...clientNames]);
  assert.equal([...table.features].sort(), [...names].sort());
  for (const [client, cells] of table.cells) {
    for (const [feature, cell] of cells) {
      const [, number = ''] = /^no \((\d+)\)$/.exec(cell) ?? [];
      assert.ok(cell === 'yes' || table.reasons.has(number), `${client}, ${feature}: ${cell}`);
    }
  }
});

test('the table names the versions that are installed', () => {
  const pins = readFileSync(join(projectDir, 'scripts/clients/versions.json'), 'utf8');
  for (const [client, named] of table.packages) {
    const [name = '', version = ''] = named.split(' ');
    const pinned = pins.split('\n').filter((line) => new RegExp(`"${name}["=[]`).test(line));
    assert.ok(version !== '' && pinned.some((line) => line.includes(version)), `${client}: ${named}`);
  }
});

for (const name of clientNames) {
  const client = clients.get(name);
  const orSkipped = client && (isLong || official.includes(name)) ? test : test.skip;
  orSkipped(`${name} can what the table says, and nothing else`, async () => {
    const outcomes = await tryAll(client as SdkClient);
    const others = [...outcomes].filter(
      ([feature, outcome]) => (table.cells.get(name)?.get(feature) === 'yes') !== (outcome === 'yes'),
    );
    assert.equal(others, []);
  });
}

test.run();
