import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { provisionAnswer } from '../../../../handlers/manager/images/post-servers-provision.ts';
import { databaseUnavailable, Failure } from '../../../../lib/failure.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { stdio } from '../registry-fixture.ts';
import { failureOf, leftOf, type ProvisionFixture, withProvisioning } from './provision-fixture.ts';

const test = suite('provisioning');

function stepNames({ steps }: ProvisionFixture): string[] {
  return steps.map(({ step }) => step);
}

test('an image becomes a registered server, step by step', () =>
  withProvisioning(async (fixture) => {
    const { engine, readConfig, toolNames, upstreams } = fixture;

    const tools = await fixture.provision({ command: ['--quiet'], description: 'A demo' });

    assert.equal(tools, ['demo__echo']);
    assert.equal(stepNames(fixture), ['pull', 'start', 'ready', 'register']);
    assert.equal(JSON.parse((await readConfig('demo')) ?? ''), {
      name: 'demo',
      transport: 'stdio',
      description: 'A demo',
      args: ['--quiet'],
      image: 'mcp/demo:1',
    });
    assert.equal(toolNames('demo'), ['echo']);
    assert.ok(upstreams.serving.has('demo'));
    assert.equal([...engine.containers], ['demo']);
  }));

test('bus messages say when a provision begins and ends, also when it fails', () =>
  withProvisioning(async (fixture) => {
    let received = 0;
    fixture.bus.subscribe(({ type, name }) => {
      if (type === 'provision' && name === 'demo') received += 1;
    });
    fixture.upstreams.behave('demo', 'dies');

    await failureOf(fixture.provision());

    assert.is(received, 2);
  }));

test('the progress of the pull is reported', () =>
  withProvisioning(async (fixture) => {
    fixture.engine.pull = async (onProgress) => {
      onProgress({ percent: undefined, layers: { done: 0, total: 3 } });
      onProgress({ percent: 40, layers: { done: 1, total: 3 } });
    };

    await fixture.provision();

    assert.equal(fixture.steps.slice(0, 3), [
      { step: 'pull' },
      { step: 'pull', layers: { done: 0, total: 3 } },
      { step: 'pull', layers: { done: 1, total: 3 }, percent: 40 },
    ]);
  }));

test('values go to the secrets method and the container, and references into the file', () =>
  withProvisioning(async (fixture) => {
    await fixture.provision({ env_vars: { API_KEY: 'canary-value' } });

    const file = (await fixture.readConfig('demo')) ?? '';
    assert.equal(JSON.parse(file).env, { API_KEY: `\${DEMO__API_KEY}` });
    assert.not.match(file, 'canary-value');
    assert.is(await fixture.secretValue('DEMO__API_KEY'), 'canary-value');
    assert.equal(fixture.engine.made[0]?.env, { API_KEY: 'canary-value' });
    assert.is(fixture.journal.entries.size, 0);
  }));

test('a port or path makes it an HTTP server; the only exposed port need not be named', () =>
  withProvisioning(async (fixture) => {
    const { provision, readConfig, engine } = fixture;
    const fileOf = async (name: string) => JSON.parse((await readConfig(name)) ?? '');

    await provision({ name: 'a', port: 3001 });
    engine.ports = [8080];
    await provision({ name: 'b', path: '/mcp' });
    await provision({ name: 'c', transport: 'streamable_http' });
    await provision({ name: 'd' });

    const [a, b, c, d] = [await fileOf('a'), await fileOf('b'), await fileOf('c'), await fileOf('d')];
    assert.equal([a.transport, a.port], ['streamable_http', 3001]);
    assert.equal([b.transport, b.port, b.path], ['streamable_http', 8080, '/mcp']);
    assert.equal([c.transport, c.port], ['streamable_http', 8080]);
    assert.equal([d.transport, d.port], ['stdio', undefined]);
  }));

test('an HTTP image without a known port is refused, and nothing is left', () =>
  withProvisioning(async (fixture) => {
    for (const ports of [[], [80, 443]]) {
      fixture.engine.ports = ports;

      const failure = await failureOf(fixture.provision({ transport: 'streamable_http' }));

      assert.is(failure.status, 422);
      assert.match(failure.message, '`port`');
      assert.equal(await leftOf(fixture), []);
    }
  }));

test('without an engine it is 503 at once, and nothing is left', () =>
  withProvisioning(async (fixture) => {
    fixture.engine.problem = 'The container engine does not answer.';

    const failure = await failureOf(fixture.provision());

    assert.equal([failure.code, failure.status], ['provision_failed', 503]);
    assert.equal(failure.details, { step: 'engine', undone: true });
    assert.equal(await leftOf(fixture), []);
  }));

test('a process that does not look after the containers refuses', () =>
  withProvisioning(async (fixture) => {
    fixture.engine.isOwner = false;

    const failure = await failureOf(fixture.provision());

    assert.equal([failure.code, failure.status], ['provision_failed', 503]);
    assert.equal(fixture.steps, []);
  }));

test('what the registry refuses keeps its words, and nothing is left', () =>
  withProvisioning(async (fixture) => {
    fixture.engine.hasImage = false;
    fixture.engine.pull = async () => {
      throw new Failure('provision_failed', 'Not found.', { status: 422, details: { step: 'pull' } });
    };

    const failure = await failureOf(fixture.provision({ env_vars: { A: 'x1234' } }));

    assert.equal([failure.status, failure.message], [422, 'Not found.']);
    assert.equal(failure.details, { step: 'pull', undone: true });
    assert.equal(await leftOf(fixture), []);
  }));

test('an image that is here serves when its registry does not give one, and every answer says so', () =>
  withProvisioning(async ({ engine, registry }) => {
    engine.pull = async () => {
      throw new Failure('provision_failed', 'It is away.', { status: 502, details: { step: 'pull' } });
    };
    const document = { name: 'demo', transport: 'stdio', image: 'mcp/demo:1' };
    const watch = { onStep() {}, signal: new AbortController().signal };

    const provisioned = await registry.provision({ name: 'demo', image: 'mcp/demo:1' }, watch);
    const again = await registry.register(document);
    const dryRun = await registry.register(document, { dryRun: true });

    for (const { warnings } of [provisioned, again, dryRun]) {
      assert.match(warnings.join(), /^It is away\. The image .* that is here is used/);
    }
    assert.match(String(provisionAnswer(provisioned, undefined).warnings), 'It is away.');
    engine.pull = async () => {};
    assert.equal((await registry.register(document)).warnings, []);
  }));

test('a config may say that no registry is asked', () =>
  withProvisioning(async ({ engine, registry, readConfig }) => {
    let asked = 0;
    engine.pull = async () => void asked++;
    const document = { name: 'demo', transport: 'stdio', image: 'mcp/demo:1', pull: 'never' };

    await registry.register(document);

    assert.is(asked, 0);
    assert.is(JSON.parse((await readConfig('demo')) ?? '').pull, 'never');
    engine.hasImage = false;
    const failure = await failureOf(registry.register(document));
    assert.equal([failure.code, failure.status, asked], ['provision_failed', 422, 0]);
    assert.match(failure.message, '`"pull": "never"`');
  }));

test('a registry that falls silent is given up', () =>
  withProvisioning(async (fixture) => {
    fixture.engine.hasImage = false;
    fixture.engine.pull = (_onProgress, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });

    const failure = await failureOf(fixture.provision());

    assert.equal([failure.code, failure.status], ['provision_failed', 502]);
    assert.equal(await leftOf(fixture), []);
  }));

test('one that falls silent hinders nobody who has the image', () =>
  withProvisioning(async ({ engine, registry }) => {
    engine.pull = (_onProgress, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });

    const { warnings } = await registry.register({ name: 'demo', transport: 'stdio', image: 'mcp/demo:1' });

    assert.match(warnings.join(), /^The registry sent nothing for .* that is here is used/);
  }));

test('a server that ends before it answers is 422, and nothing is left', () =>
  withProvisioning(async (fixture) => {
    fixture.upstreams.behave('demo', 'dies');

    const failure = await failureOf(fixture.provision({ env_vars: { KEY: 'secret-1' } }));

    assert.equal([failure.code, failure.status], ['provision_failed', 422]);
    assert.equal(failure.details, { step: 'ready', undone: true });
    assert.equal(await leftOf(fixture), []);
  }));

test('a container that cannot be made is refused with the message of the engine, and nothing is left', () =>
  withProvisioning(async (fixture) => {
    fixture.engine.ensure = async () => {
      throw new Failure('conflict', 'A container with this name is not ours.');
    };

    const failure = await failureOf(fixture.provision({ env_vars: { KEY: 'secret-1' } }));

    assert.equal([failure.code, failure.status], ['conflict', 409]);
    assert.equal(failure.details, { step: 'start', undone: true });
    assert.equal(await leftOf(fixture), []);
  }));

test('a reference without a value is refused before anything is created', () =>
  withProvisioning(async (fixture) => {
    const failure = await failureOf(fixture.provision({ env_vars: { KEY: `\${NOT_THERE}` } }));

    assert.equal([failure.code, failure.status], ['provision_failed', 422]);
    assert.equal(failure.details, { step: 'start', missing_variables: ['NOT_THERE'], undone: true });
    assert.equal(fixture.engine.made, []);
    assert.equal(await leftOf(fixture), []);
  }));

test('without administration rights nothing that is provisioned may refer to a secret', () =>
  withProvisioning(async (fixture) => {
    await fixture.secrets.write(new Map([['KEY', 'k']]));
    const reference = `a\${KEY}b`;

    for (const place of [{ env_vars: { A: reference } }, { command: ['--key', reference] }]) {
      const failure = await failureOf(fixture.provision(place, undefined, false));
      assert.is(failure.code, 'secret_needs_admin');
      assert.equal(failure.details, { secrets: ['KEY'] });
    }
    assert.equal(fixture.steps, []);
    assert.equal(fixture.engine.made, []);
  }));

test('a database that is away undoes a provision at its last step', () =>
  withProvisioning(async (fixture) => {
    fixture.setDatabaseAway(true);

    const failure = await failureOf(fixture.provision({ env_vars: { KEY: 'secret-1' } }));

    assert.equal([failure.code, failure.status], [databaseUnavailable().code, 503]);
    assert.equal(failure.details, { step: 'register', undone: true, reason: 'away' });
    assert.ok(failure.headers['Retry-After']);
    assert.equal(await leftOf(fixture), []);
  }));

test('a client that disconnects has the provision undone, at any step', () =>
  withProvisioning(async (fixture) => {
    for (const step of ['pull', 'start', 'ready', 'register'] as const) {
      const leaving = new AbortController();
      const abortAt = (reached: string) => reached === step && leaving.abort();
      fixture.engine.pull = async (_onProgress, signal) => {
        abortAt('pull');
        signal.throwIfAborted();
      };
      fixture.engine.ensure = async () => void abortAt('start');
      const watch = {
        signal: leaving.signal,
        onStep: (reached: { readonly step: string }) =>
          void (reached.step === 'register' && abortAt('register')),
      };
      if (step === 'ready') fixture.upstreams.behave('demo', 'hangs');

      const request = { name: 'demo', image: 'mcp/demo:1', env_vars: { KEY: 'secret-1' } };
      const pending = failureOf(fixture.registry.provision(request, watch));
      if (step === 'ready') {
        await waitUntil('it was started', () => fixture.upstreams.startedWith.length > 0);
        leaving.abort();
      }

      const failure = await pending;
      assert.is(failure.details?.undone, true, step);
      assert.equal(await leftOf(fixture), [], step);
      fixture.upstreams.behave('demo', ['echo']);
    }
    assert.equal(await fixture.provision(), ['demo__echo']);
  }));

test('the end of the service undoes what is under way', () =>
  withProvisioning(async (fixture) => {
    fixture.upstreams.behave('demo', 'hangs');
    const pending = failureOf(fixture.provision({ env_vars: { KEY: 'secret-1' } }));
    await waitUntil('it was started', () => fixture.upstreams.startedWith.length > 0);

    fixture.registry.end();

    assert.is((await pending).details?.undone, true);
    assert.equal(await leftOf(fixture), []);
  }));

test('what could not be undone is said', () =>
  withProvisioning(async (fixture) => {
    const { registry, engine, upstreams } = fixture;
    upstreams.behave('demo', 'dies');
    engine.containers.delete = () => {
      throw new Error('The engine is away.');
    };

    const failure = await failureOf(fixture.provision());

    assert.is(failure.details?.undone, false);
    assert.ok(registry);
    assert.ok(fixture.logged.some(({ message }) => /left something behind/.test(message)));
  }));

test('of ten at once with one name one goes on and nine are conflicts', () =>
  withProvisioning(async (fixture) => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        fixture.provision().then(
          () => 'provisioned',
          (error: Failure) => error.code,
        ),
      ),
    );

    assert.equal(outcomes.filter((outcome) => outcome === 'provisioned').length, 1);
    assert.equal(outcomes.filter((outcome) => outcome === 'conflict').length, 9);
    assert.is(fixture.engine.made.length, 1);
  }));

test('a name that is registered is a conflict, and the server goes on', () =>
  withProvisioning(async (fixture) => {
    await fixture.registry.register(stdio('demo'));

    const failure = await failureOf(fixture.provision());

    assert.is(failure.code, 'conflict');
    assert.equal(fixture.toolNames('demo'), ['echo']);
    assert.equal(fixture.steps, []);
  }));

test('a config with an image is registered the same way, and may replace', () =>
  withProvisioning(async (fixture) => {
    const { registry, engine, readConfig } = fixture;
    const document = { name: 'demo', transport: 'stdio', image: 'mcp/demo:1', env: { KEY: 'secret-1' } };

    const first = await registry.register(document);
    const second = await registry.register({ ...document, description: 'New' });

    assert.equal([first.outcome, second.outcome], ['registered', 'replaced']);
    assert.is(engine.made.length, 2);
    assert.is(JSON.parse((await readConfig('demo')) ?? '').description, 'New');
  }));

test('a replacement that fails leaves the older server with its container', () =>
  withProvisioning(async (fixture) => {
    await fixture.provision();
    fixture.upstreams.behave('demo', 'dies');

    const failure = await failureOf(
      fixture.registry.register({ name: 'demo', transport: 'stdio', image: 'mcp/demo:2' }),
    );

    assert.is(failure.code, 'provision_failed');
    assert.ok(fixture.engine.containers.has('demo'));
    assert.equal(fixture.toolNames('demo'), ['echo']);
    assert.is(JSON.parse((await fixture.readConfig('demo')) ?? '').image, 'mcp/demo:1');
  }));

test('a config whose variables are missing is registered, and starts when they come', () =>
  withProvisioning(async (fixture) => {
    const { warnings } = await fixture.registry.register({
      name: 'demo',
      transport: 'stdio',
      image: 'mcp/demo:1',
      env: { KEY: `\${NOT_THERE}` },
    });

    assert.match(warnings.join(), 'NOT_THERE');
    assert.equal(fixture.engine.made, []);
  }));

test('deleting removes the container, the file, the row and the secrets', () =>
  withProvisioning(async (fixture) => {
    await fixture.provision({ env_vars: { KEY: 'secret-1' } });

    await fixture.registry.deregister('demo');

    assert.equal(await leftOf(fixture), []);
  }));

test('deleting works while the engine is away', () =>
  withProvisioning(async (fixture) => {
    await fixture.provision();
    fixture.engine.containers.delete = () => {
      throw new Failure('provision_failed', 'The container engine does not answer.', { status: 503 });
    };

    await fixture.registry.deregister('demo');

    assert.equal(await leftOf(fixture), ['container']);
    assert.ok(fixture.logged.some(({ message }) => /is still there/.test(message)));
  }));

test('secrets of a provision that a kill cut short are removed at the next start', () =>
  withProvisioning(async (fixture) => {
    fixture.upstreams.behave('demo', 'hangs');
    await fixture.secrets.write(new Map([['OF_SOMEBODY', 'stays']]));
    fixture.provision({ env_vars: { KEY: 'secret-1' } }).catch(() => {});
    await waitUntil('it was started', () => fixture.upstreams.startedWith.length > 0);
    fixture.journal.killService();

    await fixture.restartService().registry.start();

    assert.equal([...(await fixture.secrets.names())], ['OF_SOMEBODY']);
    assert.is(fixture.journal.entries.size, 0);
  }));

test('secrets that a server refers to by then stay', () =>
  withProvisioning(async (fixture) => {
    await fixture.provision({ env_vars: { KEY: 'secret-1' } });
    await fixture.journal.record(['DEMO__KEY']);
    fixture.journal.killService();

    await fixture.restartService().registry.start();

    assert.is(await fixture.secretValue('DEMO__KEY'), 'secret-1');
    assert.is(fixture.journal.entries.size, 0);
  }));

test.run();
