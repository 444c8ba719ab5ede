/** Prompts, resources, completion and subscriptions of the official server everything, through the real service. */

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConnectedClient, connectClient, openSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import {
  configFiles,
  everythingConfig,
  everythingPath,
  filesystemPath,
  stdioConfig,
} from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('features of a real server');

let service: RunningService;
let direct: Client;
let through: ConnectedClient;

test.before(async () => {
  service = await runService({
    configs: configFiles(everythingConfig('every'), stdioConfig('files', [filesystemPath, '.'])),
    groups: {
      'svc-global': { name: 'svc-global', included_tools: ['every__echo'] },
      named: {
        name: 'named',
        included_tools: [],
        included_prompts: ['every__args-prompt'],
        included_resources: ['demo://resource/dynamic/text/{resourceId}'],
        exposed_names: { 'every__args-prompt': 'weather' },
      },
      all: { name: 'all', included_servers: ['every'], included_tools: [] },
      files: { name: 'files', included_servers: ['files'], included_tools: [] },
    },
  });
  direct = new Client({ name: 'test', version: '1' });
  await direct.connect(
    new StdioClientTransport({ command: 'node', args: [everythingPath, 'stdio'], stderr: 'ignore' }),
  );
  await waitUntil('the prompts are known', async () => {
    const { initialized } = await openSession(service.groupUrl());
    return initialized.body.result.capabilities.prompts !== undefined;
  });
  through = await connectClient(service.groupUrl());
});
test.after(async () => {
  await through.close();
  await direct.close();
  await service.remove();
});

test('initialize declares what the server can do, and lists as it does', async () => {
  const capabilities = through.client.getServerCapabilities();

  assert.equal(capabilities?.prompts, { listChanged: true });
  assert.equal(capabilities?.resources, { subscribe: true, listChanged: true });
  assert.equal(capabilities?.completions, {});
  assert.match(through.client.getInstructions() ?? '', /^# every\n/);
});

test('prompts are those of the server under its name, and read the same', async () => {
  const { prompts: own } = await direct.listPrompts();
  const { prompts } = await through.client.listPrompts();

  assert.equal(
    prompts,
    own.map((prompt) => ({ ...prompt, name: `every__${prompt.name}` })),
  );
  const args = { city: 'Bern', state: 'BE' };
  assert.equal(
    await through.client.getPrompt({ name: 'every__args-prompt', arguments: args }),
    await direct.getPrompt({ name: 'args-prompt', arguments: args }),
  );
});

test('resources and templates are listed and read as the server has them', async () => {
  const { resources } = await through.client.listResources();
  const { resourceTemplates } = await through.client.listResourceTemplates();

  assert.equal(resources, (await direct.listResources()).resources);
  assert.equal(resourceTemplates, (await direct.listResourceTemplates()).resourceTemplates);
  const [first] = resources;
  assert.equal(
    await through.client.readResource({ uri: first?.uri ?? '' }),
    await direct.readResource({ uri: first?.uri ?? '' }),
  );
  const { contents } = await through.client.readResource({ uri: 'demo://resource/dynamic/text/7' });
  assert.match(JSON.stringify(contents), /Resource 7/);
});

test('completion reaches the prompt and the template', async () => {
  const argument = { name: 'department', value: 'E' };
  const prompt = await through.client.complete({
    ref: { type: 'ref/prompt', name: 'every__completable-prompt' },
    argument,
  });
  const uri = 'demo://resource/dynamic/text/{resourceId}';
  const template = await through.client.complete({
    ref: { type: 'ref/resource', uri },
    argument: { name: 'resourceId', value: '1' },
  });

  assert.equal(prompt.completion.values, ['Engineering']);
  assert.equal(template.completion.values, ['1']);
});

test('a subscribed resource that changes is told on the GET stream', async () => {
  const uri = 'demo://resource/dynamic/text/1';
  const listener = await connectClient(service.groupUrl('all'));
  const updates: string[] = [];
  listener.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updates.push(params.uri);
  });

  await listener.client.subscribeResource({ uri });
  await listener.client.callTool({ name: 'every__toggle-subscriber-updates', arguments: {} });
  await waitUntil('an update arrives', () => updates.length > 0, { limitMs: 12_000 });
  await listener.client.unsubscribeResource({ uri });
  await listener.close();

  assert.is(updates[0], uri);
});

test('a group that names prompts and resources shows and serves only those', async () => {
  const { client, close } = await connectClient(service.groupUrl('named'));

  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { contents } = await client.readResource({ uri: 'demo://resource/dynamic/text/3' });
  const refused = await client
    .readResource({ uri: 'demo://resource/dynamic/blob/3' })
    .catch((error) => error.code);
  const prompt = await client.getPrompt({ name: 'weather', arguments: { city: 'Bern' } });
  const hidden = await client.getPrompt({ name: 'every__simple-prompt' }).catch((error) => error.code);
  await close();

  assert.equal([prompts.map(({ name }) => name), resources, resourceTemplates.length], [['weather'], [], 1]);
  assert.is(contents.length, 1);
  assert.match(JSON.stringify(prompt.messages), 'Bern');
  assert.equal([refused, hidden], [-32002, -32602]);
});

test('a group of a server with tools alone has no prompts and no resources', async () => {
  const session = await openSession(service.groupUrl('files'));

  assert.equal(Object.keys(session.initialized.body.result.capabilities), ['tools']);
  assert.is((await session.request('resources/list')).body.error.code, -32601);
});

test('after a restart lists are there before any server was reached', async () => {
  const session = await openSession(service.groupUrl());
  const before = await session.request('resources/list');

  await service.restart();

  const after = await session.request('resources/list');
  assert.equal(after.body.result, before.body.result);
});

test.run();
