/** SECURITY.md, Rights: every row of the table, asked of the manager set over a real registry. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReference } from '../../../../lib/config/references.ts';
import { type ProvisionFixture, withProvisioning } from '../../registry/provisioning/provision-fixture.ts';
import { createManagerFixture } from './manager-fixture.ts';

const test = suite('the table of rights');

interface Scenario {
  /** Brings about what the second column says. */
  readonly before?: (fixture: ProvisionFixture) => Promise<unknown>;
  readonly method?: string;
  readonly path?: string;
  readonly body?: object;
  /** `HOST` is loopback. */
  readonly isLocal?: boolean;
}

const at = (host: string, more: object = {}) => ({
  ...{ name: 'x', transport: 'streamable_http', url: `https://${host}/mcp` },
  ...more,
});
const program = { name: 'x', transport: 'stdio', command: 'demo' };
const image = (env: object) => ({ name: 'x', transport: 'stdio', image: 'mcp/x:1', env });
const withFolder = (source = '/srv/project') => ({ ...image({}), volumes: [{ path: '/work', source }] });
const operators = { headers: { A: toReference('OPERATOR') } };
const own = { headers: { A: toReference('X__A') } };
const replacing = (body: object) => ({ body: { ...body, replace: true } });

const register = (config: object) => (fixture: ProvisionFixture) => fixture.registry.register(config);
const isThere = register(at('a.example', { headers: { A: 'value' } }));
const isTicked = async (fixture: ProvisionFixture) => {
  await isThere(fixture);
  fixture.groups.write('support', ['x__echo']);
};
const hasNewerImage = async (fixture: ProvisionFixture) => {
  const { engine, groups, registry } = fixture;
  await registry.register(image({}));
  groups.write('support', ['x__echo']);
  engine.otherImages.add(engine.imageId);
  engine.imageId = 'sha256:2';
};
const wasUpdated = async (fixture: ProvisionFixture) => {
  await hasNewerImage(fixture);
  await fixture.registry.update('x', {}, { signal: new AbortController().signal, onStep() {} });
};
const wasTicked = async (fixture: ProvisionFixture) => {
  await isTicked(fixture);
  await fixture.registry.deregister('x');
};
const wasForgotten = async (fixture: ProvisionFixture) => {
  await wasTicked(fixture);
  fixture.groups.write('support', []);
};
const isBroken = async ({ writeConfig, registry }: ProvisionFixture) => {
  await writeConfig('x', 'no JSON');
  await registry.reconcile();
};
const provision = (body: object = {}) => ({
  path: '/api/servers/provision',
  body: { name: 'x', image: 'mcp/x:1', ...body },
});

const tryEcho = { path: '/api/tools/x__echo/try', body: {} };

const scenarios: Readonly<Record<string, Scenario>> = {
  'register a program | nothing': { body: program },
  'register an address or image | nothing': { body: at('a.example') },
  'register an address or image that refers to a secret | nothing': { body: at('a.example', operators) },
  'provision | nothing': provision(),
  'provision, referring to a secret | nothing': provision({ env_vars: { A: toReference('OPERATOR') } }),
  'provision | a server': { before: isThere, ...provision() },
  'register the identical config, no literal secret in it | a server': {
    before: isThere,
    body: at('a.example', own),
  },
  'register any other config | a server': { before: isThere, body: at('a.example', { description: 'x' }) },
  'replace | a program': { before: register(program), ...replacing(at('a.example')) },
  'replace | a file that cannot be used': { before: isBroken, ...replacing(at('a.example')) },
  'replace at another origin | a ticked server': { before: isTicked, ...replacing(at('b.example')) },
  'replace at another origin | a server that is not ticked': {
    before: isThere,
    ...replacing(at('b.example', { headers: { A: 'another value' } })),
  },
  'replace at another origin, referring to its own secret | a server that is not ticked': {
    before: isThere,
    ...replacing(at('b.example', own)),
  },
  'replace at the same origin | a ticked server': { before: isTicked, ...replacing(at('a.example')) },
  'replace at the same origin, referring to its own secret | a ticked server': {
    before: isTicked,
    ...replacing(at('a.example', { ...own, description: 'x' })),
  },
  'replace at the same origin, referring to a secret that is not its own | a ticked server': {
    before: isTicked,
    ...replacing(at('a.example', operators)),
  },
  'replace at the same origin with another path, query or headers, referring to its own secret | a server that is not ticked':
    { before: isThere, ...replacing({ ...at('a.example', own), url: 'https://a.example/@evil/mcp' }) },
  'replace an image with another environment, referring to its own secret | a server that is not ticked': {
    before: register(image({ A: 'value' })),
    ...replacing(image({ A: toReference('X__A'), NODE_OPTIONS: '--import=data:' })),
  },
  'register at another origin | a name whose server was deleted while ticked': {
    before: wasTicked,
    body: at('b.example'),
  },
  'provision | a name whose server was deleted while ticked': { before: wasTicked, ...provision() },
  'register at the same origin | a name whose server was deleted while ticked': {
    before: wasTicked,
    body: at('a.example', { headers: { A: 'value' } }),
  },
  'register at another origin | a name that no group has ticked any more': {
    before: wasForgotten,
    body: at('b.example'),
  },
  'register an image with a capability, a folder of the host or a volume by its name | nothing': {
    body: { ...image({}), capabilities: ['CHOWN'] },
  },
  'provision with a capability, a folder of the host or a volume by its name | nothing': provision({
    volumes: [{ path: '/data' }, { path: '/db', source: 'mydata' }],
  }),
  'register the identical config with a folder of the host | a server': {
    before: register(withFolder()),
    body: withFolder(),
  },
  'replace at the same origin, with a folder of the host as before | a server that is not ticked': {
    before: register(withFolder()),
    ...replacing({ ...withFolder(), description: 'x' }),
  },
  'register an image with a folder that `ALLOWED_MOUNTS` leaves out | nothing': { body: withFolder('/etc') },
  'provision with a folder that `ALLOWED_MOUNTS` leaves out | nothing': provision({
    volumes: [{ path: '/data', source: '/proc', read_only: true }],
  }),
  'delete | a server': { before: isTicked, method: 'DELETE', path: '/api/servers/x' },
  'restart | a server': { before: isTicked, method: 'POST', path: '/api/servers/x/restart' },
  'update | a ticked server in a container': { before: hasNewerImage, path: '/api/servers/x/update' },
  'roll back | a ticked server in a container': { before: wasUpdated, path: '/api/servers/x/rollback' },
  'try a tool | a server': { before: isThere, ...tryEcho },
  'try a tool, only this machine reaching the port | a server': {
    before: isThere,
    ...tryEcho,
    isLocal: true,
  },
};

/** Act and what is there → what each of the two callers gets. */
function readTable(): Map<string, readonly [string, string]> {
  const [, section = ''] = readFileSync('SECURITY.md', 'utf8').split('\n## Rights\n');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return new Map(
    rows.slice(1).map((row) => {
      const [act = '', there = '', without = '', withRights = ''] = row.slice(2, -2).split(' | ');
      return [`${act} | ${there}`, [without, withRights] as const];
    }),
  );
}

async function answerTo(scenario: Scenario, isAdministrator: boolean, isDryRun: boolean): Promise<string> {
  let result = '';
  await withProvisioning(async (fixture) => {
    await fixture.secrets.write(new Map([['OPERATOR', 'o']]));
    await scenario.before?.(fixture);
    const manager = createManagerFixture({
      isAdministrator,
      mayTry: isAdministrator || scenario.isLocal === true,
      registry: fixture.registry,
      groups: fixture.groups,
    });
    for (const { config, tools } of fixture.catalog.servers()) await manager.catalog.store(config, tools);
    const { method = 'POST', path = '/api/servers' } = scenario;
    const body = isDryRun ? { ...scenario.body, dry_run: true } : scenario.body;
    const { status, body: answer } = await manager.call(method, path, body);
    result = status < 300 ? 'allowed' : `${status} \`${answer.code}\``;
  });
  return result;
}

const table = readTable();

test('has a scenario for each row, and no other', () => {
  assert.equal([...table.keys()], Object.keys(scenarios));
});

for (const [row, expected] of table) {
  test(row, async () => {
    const scenario = scenarios[row] ?? assert.unreachable(row);
    if (scenario === undefined) return;

    for (const [at, isAdministrator] of [false, true].entries()) {
      const isRegistration = scenario.path === undefined;
      for (const isDryRun of isRegistration ? [false, true] : [false]) {
        const what = `${isAdministrator ? 'administrator' : 'anybody'}${isDryRun ? ', dry run' : ''}`;
        assert.is(await answerTo(scenario, isAdministrator, isDryRun), expected[at], what);
      }
    }
  });
}

test.run();
