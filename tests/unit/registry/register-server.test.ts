import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toReference } from '../../../lib/config/references.ts';
import { codeOf, fixtureCallTimeoutMs, stdio, withRegistry } from './registry-fixture.ts';

const test = suite('registering a server');

test('lists its tools, writes its file, stores it and serves it', () =>
  withRegistry(async ({ registry, upstreams, readConfig, toolNames }) => {
    upstreams.behave('demo', ['echo', 'add']);

    const registration = await registry.register(stdio('demo', { description: 'A demo' }));

    assert.is(registration.outcome, 'registered');
    assert.equal(registration.addedTools, ['demo__echo', 'demo__add']);
    assert.equal(registration.removedTools, []);
    assert.equal(registration.warnings, []);
    assert.equal(JSON.parse((await readConfig('demo')) ?? ''), {
      name: 'demo',
      transport: 'stdio',
      description: 'A demo',
      command: 'demo-server',
    });
    assert.equal(toolNames('demo'), ['echo', 'add']);
    assert.equal(upstreams.steps, ['prepare demo', 'commit demo']);
  }));

test('two at the same time whose names lead to the same names of secrets keep their values apart', () =>
  withRegistry(async ({ registry, upstreams }) => {
    const names = ['a.b', 'a-b'];

    await Promise.all(names.map((name) => registry.register(stdio(name, { env: { TOKEN: `of ${name}` } }))));

    assert.equal(
      upstreams.startedWith.map(({ name, env }) => [name, env.TOKEN]).sort(),
      names.map((name) => [name, `of ${name}`]).sort(),
    );
    const references = names.map((name) => upstreams.serving.get(name)?.env.TOKEN);
    assert.equal(references.sort(), ['A_B__TOKEN', 'A_B__TOKEN_2'].map(toReference).sort());
  }));

test("a server without a call time-out serves with the service's, which stays out of its file", () =>
  withRegistry(async ({ registry, upstreams, readConfig }) => {
    await registry.register(stdio('demo'));
    await registry.register(stdio('own', { timeouts: { call_ms: 200 } }));

    assert.is(upstreams.serving.get('demo')?.timeouts.callMs, fixtureCallTimeoutMs);
    assert.is(upstreams.serving.get('own')?.timeouts.callMs, 200);
    assert.not.match((await readConfig('demo')) ?? '', 'timeouts');
  }));

test('the same content again lists anew and leaves the file alone', () =>
  withRegistry(async ({ registry, upstreams, directory, toolNames }) => {
    await registry.register(stdio('demo'));
    const before = await stat(join(directory, 'demo.json'));
    upstreams.behave('demo', ['echo', 'later']);

    const registration = await registry.register(stdio('demo', { timeouts: { start_ms: 30_000 } }));

    assert.is(registration.outcome, 'unchanged');
    assert.equal(registration.addedTools, ['demo__later']);
    assert.equal(toolNames('demo'), ['echo', 'later']);
    assert.is((await stat(join(directory, 'demo.json'))).ino, before.ino);
  }));

test('other content replaces it, and says which tools came and went', () =>
  withRegistry(async ({ registry, upstreams, readConfig }) => {
    upstreams.behave('demo', ['echo', 'old']);
    await registry.register(stdio('demo'));
    upstreams.behave('demo', ['echo', 'new']);

    const registration = await registry.register(stdio('demo', { args: ['--new'] }));

    assert.is(registration.outcome, 'replaced');
    assert.equal(registration.addedTools, ['demo__new']);
    assert.equal(registration.removedTools, ['demo__old']);
    assert.match((await readConfig('demo')) ?? '', '--new');
    assert.not(upstreams.steps.includes('remove demo'), 'the older one was taken away in between');
    assert.equal(upstreams.serving.get('demo')?.args, ['--new']);
  }));

test('a server that does not start leaves nothing behind', () =>
  withRegistry(async ({ registry, upstreams, catalog, readConfig, secretValue }) => {
    upstreams.behave('demo', 'dies');

    const code = await codeOf(registry.register(stdio('demo', { env: { TOKEN: 'hush' } })));

    assert.is(code, 'upstream_unavailable');
    assert.is(catalog.server('demo'), undefined);
    assert.is(await readConfig('demo'), undefined);
    assert.is(await secretValue('DEMO__TOKEN'), undefined);
  }));

test('a replacement that does not start leaves the older registration serving', () =>
  withRegistry(async ({ registry, upstreams, readConfig, secretValue, toolNames }) => {
    await registry.register(stdio('demo', { env: { TOKEN: 'first' } }));
    const before = await readConfig('demo');
    upstreams.behave('demo', 'dies');

    await codeOf(registry.register(stdio('demo', { args: ['--new'], env: { TOKEN: 'second' } })));

    assert.is(await readConfig('demo'), before);
    assert.is(await secretValue('DEMO__TOKEN'), 'first');
    assert.equal(toolNames('demo'), ['echo']);
    assert.equal(upstreams.serving.get('demo')?.args, []);
  }));

test('nothing changes while the database is away', () =>
  withRegistry(async ({ registry, upstreams, setDatabaseAway, readConfig, secretValue }) => {
    await registry.register(stdio('kept'));
    const before = await readConfig('kept');
    setDatabaseAway(true);

    const ofNew = await codeOf(registry.register(stdio('demo', { env: { TOKEN: 'hush' } })));
    const ofKnown = await codeOf(registry.register(stdio('kept', { args: ['--new'] })));

    assert.is(ofNew, 'database_unavailable');
    assert.is(ofKnown, 'database_unavailable');
    assert.is(await readConfig('demo'), undefined);
    assert.is(await readConfig('kept'), before);
    assert.is(await secretValue('DEMO__TOKEN'), undefined);
    assert.ok(upstreams.steps.includes('discard demo'), 'its process was left running');
    assert.equal(upstreams.serving.get('kept')?.args, []);
  }));

test('a file that cannot be replaced is storage_failed, and nothing is stored', () =>
  withRegistry(async ({ registry, upstreams, catalog, directory }) => {
    await mkdir(join(directory, 'demo.json'), { recursive: true });

    const code = await codeOf(registry.register(stdio('demo')));

    assert.is(code, 'storage_failed');
    assert.is(catalog.server('demo'), undefined);
    assert.ok(upstreams.steps.includes('discard demo'));
  }));

test('literal values move to the secrets method before the server starts', () =>
  withRegistry(async ({ registry, upstreams, catalog, readConfig, secretValue }) => {
    await registry
      .register(stdio('my-demo', { env: { TOKEN: 'hush-1', PLAIN: toReference('OTHER') } }))
      .catch(() => {});
    await registry.register(stdio('my-demo', { env: { TOKEN: 'hush-1' } }));

    assert.match((await readConfig('my-demo')) ?? '', `"TOKEN": "${toReference('MY_DEMO__TOKEN')}"`);
    assert.is(await secretValue('MY_DEMO__TOKEN'), 'hush-1');
    assert.is(catalog.server('my-demo')?.config.env.TOKEN, toReference('MY_DEMO__TOKEN'));
    assert.is(upstreams.startedWith.at(-1)?.env.TOKEN, 'hush-1');
  }));

test('a new value for the same variable replaces the secret under its name', () =>
  withRegistry(async ({ registry, secretValue, secrets }) => {
    await registry.register(stdio('demo', { env: { TOKEN: 'one' } }));

    const registration = await registry.register(stdio('demo', { env: { TOKEN: 'two' } }));

    assert.is(registration.outcome, 'unchanged');
    assert.is(await secretValue('DEMO__TOKEN'), 'two');
    assert.equal([...(await secrets.names())], ['DEMO__TOKEN']);
  }));

test('a variable that a replacement has no longer takes its secret along', () =>
  withRegistry(async ({ registry, secrets }) => {
    await registry.register(stdio('demo', { env: { TOKEN: 'one', STAYS: 'two' } }));

    await registry.register(stdio('demo', { env: { STAYS: 'two' } }));

    assert.equal([...(await secrets.names())], ['DEMO__STAYS']);
  }));

test('a missing variable registers the server with a warning that names it', () =>
  withRegistry(async ({ registry, upstreams, readConfig, toolNames }) => {
    const registration = await registry.register(stdio('demo', { env: { TOKEN: toReference('NOT_THERE') } }));

    assert.is(registration.outcome, 'registered');
    assert.match(registration.warnings.join(), '`NOT_THERE`');
    assert.equal(toolNames('demo'), []);
    assert.ok(await readConfig('demo'));
    assert.ok(upstreams.serving.has('demo'));
  }));

test('a name of more than 60 characters is registered with a warning', () =>
  withRegistry(async ({ registry, upstreams }) => {
    const long = `demo__${'x'.repeat(55)}`;
    upstreams.behave('demo', ['x'.repeat(54), 'x'.repeat(55)]);

    const { warnings } = await registry.register(stdio('demo'));

    assert.is(warnings.length, 1);
    assert.match(warnings[0] ?? '', long);
  }));

test('a tool whose name cannot be stored is left out, the others are registered', () =>
  withRegistry(async ({ registry, upstreams, toolNames }) => {
    upstreams.behave('demo', ['fine', 'nul\0nul', 'lone\ud800']);

    await registry.register(stdio('demo'));

    assert.equal(toolNames('demo'), ['fine']);
  }));

test('a second registration of a name is refused while the first runs, other names are not', () =>
  withRegistry(async ({ registry, upstreams, readConfig }) => {
    upstreams.behave('slow', 'hangs');
    void registry.register(stdio('slow')).catch(() => {});

    const again = await codeOf(registry.register(stdio('slow')));
    const other = await registry.register(stdio('quick'));

    assert.is(again, 'conflict');
    assert.is(other.outcome, 'registered');
    assert.ok(await readConfig('quick'));
  }));

test('of ten at once with one name exactly one succeeds', () =>
  withRegistry(async ({ registry }) => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        registry.register(stdio('race')).then(
          (done) => done.outcome,
          (error) => error.code,
        ),
      ),
    );

    assert.equal(outcomes.sort(), [...Array(9).fill('conflict'), 'registered']);
  }));

test('a dry run says what would change and changes nothing', () =>
  withRegistry(async ({ registry, upstreams, readConfig, secrets, toolNames }) => {
    await registry.register(stdio('demo'));
    const before = await readConfig('demo');
    upstreams.behave('demo', ['echo', 'more']);

    const registration = await registry.register(stdio('demo', { env: { TOKEN: 'hush' } }), { dryRun: true });

    assert.is(registration.outcome, 'replaced');
    assert.equal(registration.addedTools, ['demo__more']);
    assert.is(await readConfig('demo'), before);
    assert.equal(toolNames('demo'), ['echo']);
    assert.is((await secrets.names()).size, 0);
    assert.is(upstreams.steps.at(-1), 'discard demo');
  }));

test('a wrong config is refused before anything is started', () =>
  withRegistry(async ({ registry, upstreams }) => {
    const code = await codeOf(registry.register({ name: 'demo', transport: 'stdio' }));

    assert.is(code, 'invalid_params');
    assert.equal(upstreams.steps, []);
  }));

test('what a config asks a person for never becomes the value itself', () =>
  withRegistry(async ({ registry, secrets, upstreams }) => {
    const document = stdio('asking', { env: { KEY: '${input:' + 'key}' } });
    const options = { isAdministrator: true, replace: true };
    for (const dryRun of [false, true]) {
      const failure = await registry.register(document, { ...options, dryRun }).catch((it) => it);

      assert.is(failure.code, 'invalid_params');
      assert.match(failure.message, 'asks for a value');
      assert.equal(failure.details, { input: 'key' });
    }
    assert.equal([...(await secrets.names())], []);
    assert.is(upstreams.serving.has('asking'), false);
  }));

test.run();
