/** A server with names that model providers refuse, from its registration to what agents see, with the printed command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listingConfig, writeTools } from '../dashboard/support/servers.ts';
import { manage, replaceTools } from '../support/manager-api.ts';
import { connectClient } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('names of tools, end to end');
const folder = mkdtempSync(join(tmpdir(), 'svc-names-'));
const [toolsPath, configPath] = [join(folder, 'tools.json'), join(folder, 'go.json')];
const rule = /^[a-zA-Z0-9_-]{1,64}$/;
const names = ['greet', 'greet (structured)', 'elicit (form)', 'ping', 'get.user', 'get user'];
const refused = names.filter((name) => !rule.test(name));
let service: RunningService;

test.before(async () => {
  writeTools(
    toolsPath,
    names.map((name) => ({ name, inputSchema: { type: 'object' } })),
  );
  writeFileSync(configPath, JSON.stringify({ ...listingConfig('go', toolsPath), name: 'go' }));
  service = await runService({
    groups: {
      'svc-global': { name: 'svc-global', included_tools: [] },
      research: { name: 'research', included_tools: [], included_servers: ['go'] },
    },
  });
});

test.after(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function seenBy(group: string): Promise<string[]> {
  const { client, close } = await connectClient(service.groupUrl(group));
  const { tools } = await client.listTools();
  await close();
  return tools.map(({ name }) => name);
}

const document = (group: string) =>
  JSON.parse(readFileSync(join(service.groupsDir, `${group}.json`), 'utf8'));

let command: string[];

test('register warns, once, with the names and a command; the log tells of them, too', async () => {
  const { code, stderr } = await service.cli(['register', '-c', configPath]);

  assert.is(code, 0);
  const warnings = stderr.split('\n').filter((line) => line.includes('Model providers refuse'));
  assert.is(warnings.length, 1, stderr);
  for (const name of refused) assert.match(warnings[0] ?? '', `"go__${name}"`);
  const [, program, printed = ''] = /`(.*) (expose[^`]*)`/.exec(warnings[0] ?? '') ?? [];
  assert.is(program, (await manage(service, 'GET', '/api/status')).gateway_command);
  assert.is(printed, 'expose go --group research');
  command = printed.split(' ');
  await waitUntil('the log tells', () => /model providers refuse names.*/.test(service.output()));
  assert.equal(
    await seenBy('research'),
    names.map((name) => `go__${name}`),
  );
});

test('the printed command shows lawful names to the agents of that group, by which they call', async () => {
  const { code, stdout } = await service.cli(command);
  assert.is(code, 0, stdout);
  const lawful = await waitUntil('all are lawful', async () => {
    const seen = await seenBy('research');
    return seen.every((name) => rule.test(name)) && seen;
  });

  assert.equal(lawful.slice(0, 4), ['go__greet', 'go_greet_structured', 'go_elicit_form', 'go__ping']);
  assert.is(new Set(lawful).size, names.length);
  const { client, close } = await connectClient(service.groupUrl('research'));
  const called = await client.callTool({ name: 'go_greet_structured', arguments: {} });
  await close();
  assert.equal(called.content, [{ type: 'text', text: 'called greet (structured)' }]);
});

test('registered again it has nothing to warn of, until another group has the tools', async () => {
  const again = await service.cli(['register', '-c', configPath, '--json']);
  assert.equal(JSON.parse(again.stdout).warnings, []);

  await replaceTools(service, 'svc-global', ['go__get.user', 'go__ping']);
  const { stdout } = await service.cli(['register', '-c', configPath, '--json']);
  const { warnings } = JSON.parse(stdout);
  assert.is(warnings.length, 1);
  assert.match(
    warnings[0],
    /"go__get\.user"\. Agents see others after `.*svc-mcp\.js expose go --group svc-global`\.$/,
  );
  const { servers } = await manage(service, 'GET', '/api/tools?group=svc-global');
  const named = servers.go.find(({ name }: { name: string }) => name === 'go__get.user');
  assert.match(named.name_problem, /^Model providers refuse/);
  assert.match(named.suggested_name, /^go_get_user_[a-z0-9]{6}$/);
});

test('the names stay over a restart, and go with --reset', async () => {
  const before = await seenBy('research');
  await service.restart();
  assert.equal(await seenBy('research'), before);

  await service.cli([...command, '--reset']);
  await waitUntil(
    'the full names are back',
    async () => (await seenBy('research'))[1] === 'go__greet (structured)',
  );
  assert.equal(document('research'), { name: 'research', included_tools: [], included_servers: ['go'] });
});

test.run();
