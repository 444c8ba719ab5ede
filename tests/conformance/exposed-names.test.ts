/** No adapter: the group itself shows tools and prompts under the bare names that the suite calls. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Fixture, fixtureTools, promptCount, startFixture } from './fixture.ts';
import { openKit } from './kit.ts';
import { describeConformance, type Transport } from './suite-contract.ts';

const test = suite('conformance, bare names, no adapter');
const kit = await openKit();
let fixture: Fixture;
let service: RunningService;

test.before(async () => {
  if (kit === undefined) return;
  fixture = await startFixture(kit.fixturePath);
  service = await runService(fixture.files);
  await showBareNames('stdio');
  await showBareNames('http');
});

test.after(async () => {
  await service?.remove();
  fixture?.stop();
});

async function showBareNames(server: Transport): Promise<void> {
  const tools = await fixtureTools(service, server);
  const session = await openSession(service.groupUrl(server));
  const prompts = await waitUntil('its prompts are listed', async () => {
    const names = await namesOf(session, 'prompts');
    return names.length === promptCount ? names : undefined;
  });
  const bare = (name: string) => [name, name.slice(`${server}__`.length)];
  const group = {
    name: `bare-${server}`,
    description: '',
    included_tools: tools,
    included_prompts: prompts,
    exposed_names: Object.fromEntries([...tools, ...prompts].map(bare)),
  };
  writeFileSync(join(service.groupsDir, `${group.name}.json`), JSON.stringify(group));
  await waitUntil('the group is there', async () => (await openSession(service.groupUrl(group.name))).id);
}

async function namesOf(session: PlainSession, feature: 'tools' | 'prompts'): Promise<string[]> {
  const { body } = await session.request(`${feature}/list`);
  return (body.result?.[feature] ?? []).map(({ name }: { name: string }) => name);
}

describeConformance(test, kit, (transport) => ({
  url: service.groupUrl(`bare-${transport}`).replace('127.0.0.1', 'localhost'),
}));

test.run();
