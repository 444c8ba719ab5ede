/**
 * Secrets go to the server that they were given for, and to nobody else: a caller who knows every name of a secret
 * tries every place and endpoint, with a server of its own that keeps what it is sent.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReference } from '../../lib/config/references.ts';
import { parseSecretFile } from '../../lib/secrets/secret-file.ts';
import { createCanaries } from '../support/canaries.ts';
import { recordAnswers } from '../support/recorded-answers.ts';
import { type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { stdioConfig } from '../support/test-servers.ts';
import { addToSecretsFile, leakyPath } from './canary-paths.ts';

const canaries = createCanaries();
const adminToken = canaries.make('ADMIN_TOKEN');

for (const token of [undefined, adminToken]) {
  const test = suite(token === undefined ? 'rights without tokens' : 'rights behind ADMIN_TOKEN');
  const answers = recordAnswers();
  let theirs: RecordingUpstream;
  let evil: RecordingUpstream;
  let service: RunningService;

  const send = (method: string, path: string, body?: unknown, bearer?: string) =>
    answers.send(method, `${service.managerUrl}${path}`, {
      body,
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    });
  const secrets = () => parseSecretFile(readFileSync(join(service.dataDir, 'secrets.env'), 'utf8'));
  const registerByHand = async (config: { readonly name: string; readonly env?: object }) => {
    const path = join(service.dir, `${config.name}.json`);
    writeFileSync(path, JSON.stringify(config));
    const { code, stdout, stderr } = await service.cli(['register', '-c', path]);
    answers.keep('svc-mcp register', stdout + stderr);
    assert.is(code, 0, stderr);
  };

  /** A canary in every place that a config has for one. */
  const remote = (name: string, origin: string) => ({
    ...{ name, transport: 'streamable_http' },
    url: `${origin}/mcp?api_key=${canaries.make('url query')}&${canaries.make('bare url query')}`,
    headers: { 'X-Api-Key': canaries.make('header') },
    bearer_token: canaries.make('bearer_token'),
  });

  test.before(async () => {
    theirs = await startRecordingUpstream();
    evil = await startRecordingUpstream();
    service = await runService({
      env: { ADMIN_TOKEN: token, LOG_LEVEL: 'debug' },
      groups: { 'svc-global': { name: 'svc-global', included_tools: ['crm__get'] } },
    });
    for (const name of ['FUTURE_KEY', 'OPERATOR_KEY', 'CRM__BY_HAND']) {
      addToSecretsFile(service, name, canaries.make(name));
    }
    await registerByHand(remote('crm', theirs.origin));
    await registerByHand(remote('CRM', theirs.origin));
    await registerByHand({
      ...stdioConfig('tool', [leakyPath, toReference('OPERATOR_KEY')]),
      env: { TOKEN: canaries.make('env'), KEY: toReference('OPERATOR_KEY') },
    });
  });
  test.after(async () => {
    await service?.remove();
    await Promise.all([theirs?.close(), evil?.close()]);
  });

  test('two servers whose names fold alike have secrets of their own', () => {
    const file = (name: string) => readFileSync(join(service.configsDir, `${name}.json`), 'utf8');
    const referred = (text: string) => new Set(text.match(/\$\{\w+\}/g));
    const [one, other] = [referred(file('crm')), referred(file('CRM'))];

    assert.is(one.size, 4);
    assert.is(other.size, 4);
    assert.equal(
      [...one].filter((name) => other.has(name)),
      [],
    );
  });

  test('no config that we write holds a value, and each server got its own', () => {
    for (const name of ['crm', 'CRM', 'tool']) {
      assert.equal(canaries.findIn(readFileSync(join(service.configsDir, `${name}.json`), 'utf8')), []);
    }
    const sent = canaries.findIn(theirs.requests.join('\n'));
    assert.equal(sent.sort(), ['bare url query', 'bearer_token', 'header', 'url query']);
  });

  test('who knows all names gets no value, in whatever place and by whatever endpoint', async () => {
    const before = secrets();
    for (const name of [...before.keys(), 'NOT_THERE']) {
      for (const attempt of attempts(evil.origin, toReference(name))) {
        const { status, text } = await send('POST', attempt.path, attempt.body, token && 'wrong');
        const expected = token === undefined ? attempt.refusedWith : [401, 'unauthorized'];
        assert.equal([status, JSON.parse(text).code], expected, JSON.stringify(attempt.body));
      }
      await send('DELETE', '/api/servers/evil');
    }

    assert.equal(canaries.findIn(evil.requests.join('\n')), []);
    assert.equal([...secrets()], [...before]);
  });

  test('a server that goes takes what is its own, and nothing else', async () => {
    if (token === undefined) {
      // What was given anew is the new origin's own; the operator's stays, named or not.
      const literal = { name: 'evil', transport: 'streamable_http', url: `${evil.origin}/mcp` };
      const made = await send('POST', '/api/servers', { ...literal, headers: { A: canaries.make('own') } });
      assert.is(made.status, 201, made.text);
      assert.ok(secrets().has('EVIL__A'));
    } else {
      // An administrator may refer to anything; that makes it nobody else's.
      const referring = {
        ...{ name: 'evil', transport: 'streamable_http', url: `${theirs.origin}/mcp` },
        headers: Object.fromEntries([...secrets().keys()].map((name) => [name, toReference(name)])),
      };
      const made = await send('POST', '/api/servers', referring, token);
      assert.is(made.status, 201, made.text);
    }
    await send('DELETE', '/api/servers/evil', undefined, token);
    const before = secrets();
    await send('DELETE', '/api/servers/CRM', undefined, token);
    await send('DELETE', '/api/servers/tool', undefined, token);
    const after = secrets();

    assert.not.ok(after.has('EVIL__A'));
    const gone = [...before.keys()].filter((name) => !after.has(name));
    assert.equal(
      gone.filter((name) => !/^(CRM__.*|TOOL__TOKEN)$/.test(name)),
      [],
    );
    assert.is(gone.length, 5);
    for (const name of ['FUTURE_KEY', 'OPERATOR_KEY', 'CRM__BY_HAND']) assert.ok(after.has(name), name);
    const crm = readFileSync(join(service.configsDir, 'crm.json'), 'utf8');
    for (const [, name = ''] of crm.matchAll(/\$\{(\w+)\}/g)) assert.ok(after.has(name), name);
  });

  test('no answer and no line of the log holds a value', async () => {
    for (const path of [
      '/api/servers',
      '/api/servers/crm',
      '/api/tools',
      '/api/servers/crm/logs?tail=1000',
    ]) {
      await send('GET', path, undefined, token);
    }
    const held = [...answers.texts].flatMap(([what, text]) =>
      canaries.findIn(text).map((use) => [what, use]),
    );
    // Arguments are shown: SECURITY.md says so. These are references.
    assert.equal(held, []);
    assert.equal(canaries.findIn(service.output()), []);
  });

  test.run();
}

interface Attempt {
  readonly path: string;
  readonly body: unknown;
  readonly refusedWith: readonly [number, string];
}

/** Every way to have the value of `reference` sent to `origin`. */
function attempts(origin: string, reference: string): Attempt[] {
  const needsAdmin = [403, 'secret_needs_admin'] as const;
  const url = `${origin}/mcp`;
  const places = [
    { url: `${origin}/${reference}` },
    { url: `${url}?a=${reference}` },
    { url, headers: { A: `Bearer ${reference}` } },
    { url, bearer_token: reference },
  ];
  const registrations = places.flatMap((place) => {
    const config = { name: 'evil', transport: 'streamable_http', ...place };
    return [
      { body: config, refusedWith: needsAdmin },
      { body: { ...config, dry_run: true }, refusedWith: needsAdmin },
      { body: { ...config, name: 'crm' }, refusedWith: [409, 'conflict'] as const },
      { body: { ...config, name: 'crm', replace: true }, refusedWith: [403, 'replace_needs_admin'] as const },
      { body: { ...config, name: 'CRM', replace: true }, refusedWith: needsAdmin },
      {
        body: { ...config, name: 'tool', replace: true },
        refusedWith: [403, 'command_needs_admin'] as const,
      },
    ];
  });
  const images = [{ env: { A: reference } }, { args: [reference] }].map((place) => ({
    body: { name: 'evil', transport: 'stdio', image: 'evil:1', ...place },
    refusedWith: needsAdmin,
  }));
  const provisions = [{ env_vars: { A: reference } }, { command: [reference] }].map((place) => ({
    path: '/api/servers/provision',
    body: { name: 'evil', image: 'evil:1', ...place },
    refusedWith: needsAdmin,
  }));
  return [...[...registrations, ...images].map((one) => ({ path: '/api/servers', ...one })), ...provisions];
}
