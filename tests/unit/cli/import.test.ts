import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { foreignEntries } from '../../../lib/clients/foreign-servers.ts';
import { type StubService, startStubService } from './stub-service.ts';

const test = suite('svc-mcp import');
let service: StubService;

test.before(async () => {
  service = await startStubService();
});

test.before.each(() => service.reset());

test.after(() => service.close());

test('programs and addresses of a Claude or Cursor file become registration configs', () => {
  const entries = foreignEntries({
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'files'], env: { ROOT: '/srv' } },
      web: { url: 'http://127.0.0.1:9000/mcp', headers: { Authorization: 'Bearer x' } },
      old: { type: 'sse', url: 'http://127.0.0.1:9000/sse' },
      surf: { serverUrl: 'http://127.0.0.1:9001/mcp' },
    },
  });

  assert.equal(entries.map(configOf), [
    { name: 'files', transport: 'stdio', command: 'npx', args: ['-y', 'files'], env: { ROOT: '/srv' } },
    {
      name: 'web',
      transport: 'streamable_http',
      url: 'http://127.0.0.1:9000/mcp',
      headers: { Authorization: 'Bearer x' },
    },
    { name: 'old', transport: 'sse', url: 'http://127.0.0.1:9000/sse' },
    { name: 'surf', transport: 'streamable_http', url: 'http://127.0.0.1:9001/mcp' },
  ]);
});

test('the `servers` of a VS Code file and its way to name variables are understood', () => {
  const [entry] = foreignEntries({
    servers: { git: { type: 'stdio', command: 'git-mcp', env: { TOKEN: reference('env:GIT_TOKEN') } } },
  });

  assert.equal(configOf(entry), {
    name: 'git',
    transport: 'stdio',
    command: 'git-mcp',
    env: { TOKEN: reference('GIT_TOKEN') },
  });
});

test('a default behind a variable is left out: values come from the secrets method', () => {
  const [entry] = foreignEntries({ mcpServers: { a: { command: 'b', args: [reference('PORT:-80')] } } });

  assert.equal(configOf(entry)?.args, [reference('PORT')]);
});

test('names that are none here become the nearest free ones, and it is said', () => {
  const entries = foreignEntries({
    mcpServers: {
      'My Server!': { command: 'a' },
      'my_-server': { command: 'b' },
      'My-Server': { command: 'c' },
      'a very long name that goes on and on': { command: 'd' },
      ünï: { command: 'e' },
    },
  });

  assert.equal(
    entries.map(({ name }) => name),
    ['My-Server', 'my-server', 'My-Server-2', 'a-very-long-name-that-goes-on', 'n'],
  );
  assert.match(notesOf(entries[0]), 'My Server!');
});

test('a disabled server is skipped; fields we do not use are named', () => {
  const [off, on] = foreignEntries({
    mcpServers: { off: { command: 'a', disabled: true }, on: { command: 'b', autoApprove: [], timeout: 5 } },
  });

  assert.ok(off && 'skip' in off);
  assert.match(notesOf(on), 'autoApprove, timeout');
});

test('goes on after a server that fails, and exits 1 then', async () => {
  const path = await service.file('claude.json', {
    mcpServers: { bad: { command: 'nosuch' }, good: { command: 'node' }, off: { disabled: true } },
  });
  service.answer = ({ body }) =>
    JSON.parse(body).name === 'bad'
      ? { status: 502, body: { success: false, error: 'Server bad cannot be started.' } }
      : { status: 201, body: { success: true, name: 'good', tools: ['good__a'] } };

  const { code, stdout, stderr } = await service.run(['import', path]);

  assert.is(code, 1);
  assert.match(stdout, 'good: registered with 1 tools');
  assert.match(stdout, 'off: skipped');
  assert.match(stderr, 'bad: Server bad cannot be started.');
  assert.match(stderr, '1 of 3 servers could not be registered.');
});

test('exits 0 when all went well, and --json lists the outcomes', async () => {
  const path = await service.file('claude.json', { mcpServers: { good: { command: 'node' } } });
  service.answer = () => ({ status: 201, body: { success: true, name: 'good', tools: [] } });

  const { code, stdout } = await service.run(['import', path, '--json']);

  assert.is(code, 0);
  assert.equal(JSON.parse(stdout), { servers: [{ name: 'good', outcome: 'registered', tool_count: 0 }] });
});

test('lines with `docker run` are servers in containers, and what they lose is told', async () => {
  const path = await service.file(
    'readme.txt',
    'docker run -i --rm -v data:/data \\\n  --gpus all acme/tool:1',
  );
  service.answer = () => ({ status: 201, body: { success: true, name: 'tool', tools: ['tool__a'] } });

  const { code, stdout, stderr } = await service.run(['import', path]);

  assert.is(code, 0, stderr);
  assert.match(stdout, 'tool: registered with 1 tools');
  assert.match(stderr, /tool: uses the engine's volume `data`/);
  assert.match(stderr, /tool: left out `--gpus`/);
  assert.equal(JSON.parse(service.seen.at(-1)?.body ?? ''), {
    ...{ name: 'tool', transport: 'stdio', image: 'acme/tool:1', pull: 'missing' },
    volumes: [{ path: '/data', source: 'data' }],
  });
});

test('a file without servers is refused', async () => {
  const path = await service.file('other.json', { mcpServers: [], theme: 'dark' });

  const { code, stderr } = await service.run(['import', path]);

  assert.is(code, 1);
  assert.match(stderr, 'mcpServers');
});

/** `tool` is there, and keeps two files that it loses when it is replaced. */
function answerAtRisk({ body }: { readonly body: string }) {
  const { name, replace, discard_data: isDiscarded } = JSON.parse(body);
  const details = { server: name, origin_changes: false, affected_groups: {} };
  if (!replace)
    return { status: 409, body: { success: false, code: 'conflict', error: 'There is one.', details } };
  if (isDiscarded) return { status: 200, body: { success: true, tools: ['tool__a'] } };
  const risk = { paths: ['/app/a.db', '/app/b.db'], count: 5 };
  return { status: 409, body: { success: false, code: 'data_at_risk', error: 'Data.', details: risk } };
}

test('who sits at a terminal is asked before data is lost; who does not is told how to say it', async () => {
  const path = await service.file('run.txt', 'docker run -i acme/tool');
  const questions: string[] = [];
  const answering = (isWanted: (question: string) => boolean) => async (question: string) => {
    questions.push(question);
    return isWanted(question);
  };
  service.answer = answerAtRisk;

  const yes = await service.run(
    ['import', path],
    {},
    answering(() => true),
  );
  const no = await service.run(
    ['import', path],
    {},
    answering((question) => !/Lose/.test(question)),
  );
  const nobody = await service.run(['import', path, '--replace']);
  const said = await service.run(['import', path, '--replace', '--discard-data']);

  assert.match(questions[1] ?? '', /would be lost: \/app\/a\.db, \/app\/b\.db and 3 more\. Lose it\?$/);
  assert.equal([questions.length, yes.code, no.code, nobody.code, said.code], [4, 0, 0, 1, 0]);
  assert.match(no.stdout, 'it stays as it is');
  assert.match(nobody.stderr, '`--discard-data`');
});

type Entry = ReturnType<typeof foreignEntries>[number];

function configOf(entry: Entry | undefined) {
  return entry && 'config' in entry ? entry.config : undefined;
}

function notesOf(entry: Entry | undefined): string {
  return entry && 'notes' in entry ? entry.notes.join('\n') : '';
}

function reference(name: string): string {
  return `\${${name}}`;
}

/** There is a server `web`, and it is replaced only by those who say so. */
function answerTaken({ body }: { readonly body: string }) {
  const { name, replace } = JSON.parse(body);
  if (name !== 'web' || replace) return { status: 201, body: { success: true, tools: ['web__get'] } };
  const details = {
    server: name,
    origin_changes: true,
    affected_groups: { support: ['web__get'] },
    suggested_name: 'web-2',
  };
  const refusal = { success: false, error: 'There is one already.', code: 'conflict', details };
  return { status: 409, body: refusal };
}

const sent = () =>
  service.seen.map(({ body }) => JSON.parse(body)).map(({ name, replace }) => [name, replace]);
const takenFile = () =>
  service.file('taken.json', { mcpServers: { web: { url: 'http://a/' }, other: { url: 'http://b/' } } });

test('a name that is taken is named with what uses it and the flag, and holds up no other server', async () => {
  service.answer = answerTaken;

  const { code, stdout, stderr } = await service.run(['import', await takenFile()]);

  assert.is(code, 1);
  assert.match(
    stderr,
    /web: There is a server named `web` already; the new one is another program, image or address/,
  );
  assert.match(stderr, /Used by support\. Import with `--replace`/);
  assert.match(stderr, 'or give it another name in the file, such as `web-2`.');
  assert.match(stdout, 'other: registered');
  assert.equal(sent(), [
    ['web', undefined],
    ['other', undefined],
  ]);
});

test('the last lines of a server that did not start stand below its sentence, and in the JSON', async () => {
  const details = { log_tail: ['Error: API_KEY is not set'] };
  const refusal = { success: false, error: 'It ended.', code: 'upstream_unavailable', details };
  service.answer = () => ({ status: 502, body: refusal });
  const path = await service.file('one.json', { mcpServers: { web: { url: 'http://a/' } } });

  const { code, stderr } = await service.run(['import', path]);
  const json = await service.run(['import', path, '--json']);

  assert.is(code, 1);
  assert.match(stderr, /^web: It ended\.\nIts last lines:\n {2}Error: API_KEY is not set\n1 of 1/);
  assert.equal(JSON.parse(json.stdout).servers, [
    { name: 'web', outcome: 'failed', reason: 'It ended.', log_tail: details.log_tail },
  ]);
});

const input = (id: string) => `\${input:${id}}`;
const askingFile = () =>
  service.file(
    'mcp.json',
    `// Of this folder.
    {
      "inputs": [
        { "id": "key", "type": "promptString", "description": "The key", "password": true },
        { "id": "region", "type": "pickString", "options": ["eu", "us"], "default": "eu" },
      ],
      "servers": {
        "web": { "url": "http://a/", "headers": { "X-Key": "${input('key')}", "X-Region": "${input('region')}" } },
        "plain": { "url": "http://b/" },
      },
    }`,
  );
const sentHeaders = () => service.seen.map(({ body }) => JSON.parse(body).headers);

test('what a file asks for is given on the command line, and never registered as it stands', async () => {
  service.answer = () => ({ status: 201, body: { success: true, tools: ['a'] } });

  const given = await service.run([
    'import',
    await askingFile(),
    '--input',
    'key=a=b',
    '--input',
    'region=us',
  ]);
  const without = await service.run(['import', await askingFile()]);

  assert.equal([given.code, without.code], [0, 1]);
  assert.equal(sentHeaders(), [{ 'X-Key': 'a=b', 'X-Region': 'us' }, undefined, undefined]);
  assert.match(without.stderr, 'web: it asks for `key` (The key): give it with `--input key=…`.');
  assert.match(without.stdout, 'plain: registered');
});

test('who sits at a terminal types it, unseen where it is a password; the default is what nobody typed', async () => {
  service.answer = () => ({ status: 201, body: { success: true, tools: ['a'] } });
  const asked: [string, boolean][] = [];
  const askText = async (question: string, { isHidden }: { isHidden: boolean }) => {
    asked.push([question, isHidden]);
    return isHidden ? 'typed' : '';
  };

  const { code, stdout, stderr } = await service.run(['import', await askingFile()], {}, undefined, askText);

  assert.is(code, 0);
  assert.equal(sentHeaders(), [{ 'X-Key': 'typed', 'X-Region': 'eu' }, undefined]);
  assert.equal(asked, [
    ['The key (`key` of web): ', true],
    ['(`region` of web; one of eu, us; else eu): ', false],
  ]);
  assert.not.match(stdout + stderr, 'typed');
});

test('an input that is written in another way, or that nothing asks for, is refused', async () => {
  for (const text of ['key', '=value', 'other=value']) {
    const { code, stderr } = await service.run(['import', await askingFile(), '--input', text]);
    assert.is(code, 2, text);
    assert.match(stderr, /key=value|asks for `key`, `region`/);
    assert.not.match(stderr, 'other=value');
  }
  assert.is(service.seen.length, 0);
});

test('what is no JSON is refused with line and column', async () => {
  const path = await service.file('broken.json', '{\n  "mcpServers": {\n    "a": {"command": "b"},,\n  }\n}');

  const { code, stderr } = await service.run(['import', path]);

  assert.is(code, 1);
  assert.match(
    stderr,
    /broken\.json: It is not valid JSON: line 3, column 27: expected a name in double quotes\./,
  );
});

test('--replace puts servers in the place of those with their names', async () => {
  service.answer = answerTaken;

  const { code } = await service.run(['import', '--replace', await takenFile()]);

  assert.is(code, 0);
  assert.equal(sent(), [
    ['web', true],
    ['other', true],
  ]);
});

test('a person at a terminal is asked', async () => {
  service.answer = answerTaken;
  const path = await takenFile();
  const asked: string[] = [];
  const run = (answer: boolean) =>
    service.run(['import', path], {}, async (question) => {
      asked.push(question);
      return answer;
    });

  const no = await run(false);
  const yes = await run(true);

  assert.match(asked.join(), /`web` already; .* Used by support\. Replace it\?/);
  assert.is(asked.length, 2);
  assert.match(no.stdout, 'web: skipped, it stays as it is');
  assert.match(yes.stdout, 'web: registered');
  assert.equal([no.code, yes.code], [0, 0]);
});

test.run();
