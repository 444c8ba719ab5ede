/**
 * A server whose definitions have every fault that was found in the wild, in a group with two ordinary ones: the official
 * clients list and call all that can be shown of the three.
 */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ClientName, openSdkClients, type SdkClient } from '../../scripts/clients/sdk-clients.ts';
import { everythingCalls, memoryCalls } from '../end-to-end/sample-calls.ts';
import { readServer } from '../support/manager-api.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { projectDir } from '../support/service-command.ts';
import { everythingConfig, memoryConfig } from '../support/test-servers.ts';
import {
  hopelessResources,
  hopelessTools,
  lawfulTools,
  mendedTools,
  prompts,
  resources,
  templates,
} from './imperfect-definitions.ts';
import { given, runClient, type Step } from './run-client.ts';
import { definitionsConfig } from './support/definitions-config.ts';
import { registerAll } from './support/register-all.ts';

const test = suite('one server with every fault, and the official clients');
const official: readonly ClientName[] = ['typescript-v1', 'typescript-v2', 'python-1', 'python-2'];
const clients = await openSdkClients();
const servers = ['imperfect', 'everything', 'memory'];
const shownTools = { ...mendedTools, ...lawfulTools };
let service: RunningService;
let file: string;

test.before(async () => {
  service = await runService({
    readyMs: 120_000,
    groups: { all: { name: 'all', description: '', included_tools: [], included_servers: servers } },
  });
  file = join(service.dir, 'definitions.json');
  const imperfect = definitionsConfig('imperfect', file, {
    tools: Object.values({ ...shownTools, ...hopelessTools }),
    prompts: Object.values(prompts),
    resources: [...Object.values(resources), ...hopelessResources],
    templates: Object.values(templates),
  });
  const memory = memoryConfig('memory', { env: { MEMORY_FILE_PATH: join(service.dir, 'memory.jsonl') } });
  await registerAll(service, imperfect, everythingConfig(), memory);
});
test.after(() => service?.remove());

const full = (server: string, names: Iterable<string>) => [...names].map((name) => `${server}__${name}`);
const call = (name: string, args?: object): Step => ({
  do: 'callTool',
  name,
  ...(args ? { arguments: args } : {}),
});
/** A client of revision 2025-11-25 calls it as a task or not at all, which its definition says. */
const onlyAsTask = 'everything__simulate-research-query';
const calls = [
  ...full('imperfect', Object.keys(shownTools)).map((name) => call(name)),
  ...everythingCalls.map(({ tool, args }) => call(`everything__${tool}`, args)),
  ...memoryCalls.map(({ tool, args }) => call(`memory__${tool}`, args)),
].filter(({ name }) => name !== onlyAsTask);
const called = calls.map(({ name }) => name);

const direct = clients.get('typescript-v1');
const orNot = direct ? test : test.skip;
orNot('the faults are real: directly, an official client reads none of its tools', async () => {
  const bridge = [process.execPath, join(projectDir, 'tests/clients/servers/definitions-server.mjs'), file];
  const [tools] = await runClient({ ...(direct as SdkClient), bridge }, { url: 'http://unused' }, [
    { do: 'listTools' },
  ]);

  assert.match(tools?.error ?? 'no error', 'inputSchema');
});

test('each fault is told', async () => {
  const { problems } = await readServer(service, 'imperfect');
  for (const name of [...Object.keys(mendedTools), ...Object.keys(hopelessTools)].filter(
    (one) => one !== 'true_property',
  )) {
    assert.ok(
      problems.some((problem: string) => problem.includes(`"${name}"`)),
      `${name}: ${problems.join('\n')}`,
    );
  }
});

for (const name of official) {
  const client = clients.get(name);
  const orSkipped = client ? test : test.skip;
  orSkipped(`${name} lists and calls all tools of all three`, async () => {
    const [tools, ...results] = await run(client, [{ do: 'listTools' }, ...calls]);

    assert.equal([...given(tools)].sort(), [...called, onlyAsTask].sort());
    const failed = results.flatMap(({ error }, at) =>
      error === undefined ? [] : [`${called[at]}: ${error}`],
    );
    assert.equal(failed, []);
    const texts = results.slice(0, Object.keys(shownTools).length).map(given);
    assert.equal(texts, Object.keys(shownTools));
  });

  orSkipped(`${name} lists and reads all prompts, resources and templates`, async () => {
    const lists = ['listPrompts', 'listResources', 'listTemplates'].map((list) => ({ do: list }));
    const got = Object.keys(prompts).map((prompt) => ({ do: 'getPrompt', name: `imperfect__${prompt}` }));
    const read = Object.keys(resources).map((uri) => ({ do: 'readResource', uri }));
    const [ofPrompts, ofResources, ofTemplates, ...rest] = await run(client, [...lists, ...got, ...read]);

    assertHolds(given(ofPrompts), full('imperfect', Object.keys(prompts)));
    assertHolds(given(ofResources), Object.keys(resources));
    assertHolds(given(ofTemplates), Object.keys(templates));
    assert.not.ok(given(ofResources).some((uri: string) => uri.includes('no uri')));
    assert.equal(rest.map(given), [...Object.keys(prompts), ...Object.keys(resources)]);
  });
}

function run(client: SdkClient | undefined, steps: readonly Step[]) {
  if (client === undefined) throw new Error('It is not there.');
  return runClient(client, { url: service.groupUrl('all') }, steps);
}

function assertHolds(list: readonly string[], expected: readonly string[]): void {
  assert.equal(
    expected.filter((one) => !list.includes(one)),
    [],
  );
}

test.run();
