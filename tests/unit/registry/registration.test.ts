import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { describeRegistration, previewServer } from '../../../lib/registry/registration/registration.ts';
import { createMemoryGroups, type GroupContent } from '../../support/memory-groups.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('what a registration did');

/** Of a server with tools of these names, in an installation with these groups. */
async function warningsOf(
  name: string,
  tools: readonly string[],
  content: Readonly<Record<string, GroupContent>> = {},
): Promise<readonly string[]> {
  const listed = tools.map((tool) => ({ name: tool, definition: JSON.stringify({ name: tool }) }));
  const server = await previewServer(serverConfig({ name }), listed, undefined);
  const groups = createMemoryGroups(createLocalBus({ log: silentLog }));
  for (const [group, file] of Object.entries(content)) groups.write(group, file);
  const facts = { before: undefined, outcome: 'registered', missing: [] } as const;
  return describeRegistration({
    ...facts,
    server,
    advice: { groups, gatewayCommand: () => 'node /bin/svc-mcp.js' },
  }).warnings;
}

test('tools that agents do not see are warned of, each with the remedy and everything in its name to be seen', async () => {
  const names = ['fine', `long_${'x'.repeat(52)}`, 'y'.repeat(129), 'a\n\u202eb'];
  assert.equal(await warningsOf('crm', names), [
    `Some clients drop \`crm__long_${'x'.repeat(52)}\`: its name is longer than 60 characters.`,
  ]);
  const listed = names.map((name) => ({ name, definition: JSON.stringify({ name }) }));
  const server = await previewServer(serverConfig({ name: 'crm' }), listed, undefined);
  const remedy = '`exposed_names` of a group can give it another.';
  const schemaless = 'its inputSchema is missing and is shown as {"type":"object"}.';
  assert.equal(
    server.problems.filter((problem) => !problem.endsWith(schemaless)),
    [
      `Agents do not see the tool "${'y'.repeat(60)}…": its name is longer than 128 characters. ${remedy}`,
      `Agents do not see the tool "a\\u{a}\\u{202e}b": its name has line breaks or other characters that cannot be seen. ${remedy}`,
    ],
  );
});

const refusal = 'Model providers refuse names of its tools, and every request that has one of them:';
const tools = ['greet', 'greet (structured)', 'get.user', 'x'.repeat(63)];
const [greet, user] = ['go__greet (structured)', 'go__get.user'];
const all = `"${greet}", "${user}", "go__${'x'.repeat(56)}…"`;

test('names that model providers refuse are warned of in one sentence, with the command that gives others', async () => {
  assert.equal(await warningsOf('go', tools), [
    `${refusal} ${all}. Agents see others after \`node /bin/svc-mcp.js expose go\`.`,
  ]);
  assert.equal(await warningsOf('go', ['greet', 'ping']), []);
  assert.equal(await warningsOf('a.b', ['ping']), [
    `${refusal} "a.b__ping". Agents see others after \`node /bin/svc-mcp.js expose a.b\`.`,
  ]);
});

test('what agents of the groups see is what counts', async () => {
  const renamed = { [greet]: 'greet_structured', [user]: 'get_user', [`go__${'x'.repeat(63)}`]: 'x' };
  const whole = { included_servers: ['go'] };
  const after = (...groups: string[]) =>
    `Agents see others after ${groups.map((group) => `\`node /bin/svc-mcp.js expose go --group ${group}\``).join(', ')}.`;

  assert.equal(await warningsOf('go', tools, { whole: { ...whole, exposed_names: renamed } }), []);
  assert.equal(await warningsOf('go', tools, { whole, some: { included_tools: [greet] }, none: [] }), [
    `${refusal} "${greet}", "${user}", "go__${'x'.repeat(56)}…". ${after('some', 'whole')}`,
  ]);
  assert.equal(
    await warningsOf('go', tools, {
      done: { ...whole, exposed_names: renamed },
      some: { included_tools: ['go__greet', user], exposed_names: { go__greet: 'say hello' } },
    }),
    [`${refusal} "go__greet", "${user}". ${after('some')}`],
  );
});

test('thousands of such names, in many groups, make a short sentence', async () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `tool ${at}`);
  const groups = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`group-${at}`, { included_servers: ['go'] }]),
  );
  const [warning = '', ...more] = await warningsOf('go', many, groups);

  assert.equal(more, []);
  assert.match(warning, '"go__tool 19" and 2980 more. Agents see');
  assert.match(warning, 'and 45 more.');
  assert.ok(warning.length < 1_000, warning);
});

test.run();
