import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wantedInputs, withInputs } from '../../../lib/clients/foreign-inputs.ts';
import { foreignEntries } from '../../../lib/clients/foreign-servers.ts';

const test = suite('inputs of files of VS Code');
const input = (id: string) => `\${input:${id}}`;

const file = {
  inputs: [
    { type: 'promptString', id: 'github-token', description: 'GitHub token', password: true },
    { type: 'pickString', id: 'region', options: ['eu', { label: 'America', value: 'us' }], default: 'eu' },
    { type: 'promptString', id: 'unused', description: 'nobody refers to it' },
    { id: 7 },
    null,
  ],
  servers: {
    github: { command: 'github-mcp', env: { TOKEN: input('github-token'), REGION: input('region') } },
    web: {
      url: `https://a.example/${input('region')}/mcp`,
      headers: { Authorization: `Bearer ${input('github-token')}` },
    },
    other: { command: 'a', args: ['--key', input('undeclared one')] },
    off: { command: 'a', env: { A: input('unused') }, disabled: true },
  },
};

test('each that is referred to is told once, with what it is and whose it is', () => {
  assert.equal(wantedInputs(file, foreignEntries(file)), [
    { id: 'github-token', description: 'GitHub token', password: true, servers: ['github', 'web'] },
    {
      ...{ id: 'region', description: '', password: false, default: 'eu', options: ['eu', 'us'] },
      servers: ['github', 'web'],
    },
    { id: 'undeclared one', description: '', password: true, servers: ['other'] },
  ]);
});

test('values are put in wherever they are referred to, as they are', () => {
  const [, web] = foreignEntries(file);
  const config = web && 'config' in web ? web.config : undefined;

  const filled = withInputs(config, new Map([['github-token', `$& ${input('region')}`]]));

  assert.equal(filled, {
    name: 'web',
    transport: 'streamable_http',
    url: `https://a.example/${input('region')}/mcp`,
    headers: { Authorization: `Bearer $& ${input('region')}` },
  });
});

test('a value that becomes part of the arguments is told to be seen; one in the environment is not', () => {
  const [github, , other] = foreignEntries(file);
  const warnings = (entry: typeof github) => (entry && 'warnings' in entry ? entry.warnings : []);

  assert.equal(warnings(github), []);
  assert.match(warnings(other).join(), /"undeclared one" can be seen/);
  const docker = { command: 'docker', args: ['run', '-i', '-e', `A=${input('a')}`, 'acme/tool'] };
  const [container] = foreignEntries({ servers: { docker } });
  assert.equal(warnings(container), []);
});

test('what nothing closes holds nobody up', () => {
  const open = '${input:'.repeat(100_000);

  assert.equal(wantedInputs({}, [{ name: 'a', config: { args: [open] } }]), []);
});

test.run();
