/** Config files that are not there: an emptied, missing or other folder takes no server away, a removed file does. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { manage, readServer, toolsOf } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { provision } from '../support/provisioning.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('config files that are not there');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
let service: RunningService;

test.before(async () => {
  service = await runService({
    configs: configFiles(faultConfig('one'), faultConfig('two')),
    groups: { 'svc-global': { name: 'svc-global', included_tools: [], included_servers: ['one', 'two'] } },
  });
  await areListed();
});

test.after(async () => {
  await service?.remove();
  await services?.close();
});

const areListed = () =>
  waitUntil('both are listed', async () => {
    const lengths = [(await toolsOf(service, 'one')).length, (await toolsOf(service, 'two')).length];
    return lengths.every((length) => length > 0);
  });
const warnings = async (): Promise<readonly string[]> =>
  (await manage(service, 'GET', '/api/current')).warnings ?? [];
const told = (sentence: string) =>
  waitUntil(`“${sentence}” is told`, async () => (await warnings()).some((one) => one.includes(sentence)));
const isTakenBack = () => waitUntil('it is taken back', async () => (await warnings()).length === 0);

async function assertBothServe(): Promise<void> {
  const session = await openSession(service.groupUrl());
  for (const server of ['one', 'two']) {
    assert.ok(await readServer(service, server));
    const params = { name: `${server}__echo`, arguments: { text: server } };
    const { body } = await session.request('tools/call', params);
    assert.is(body.error, undefined, `${server} is called in vain`);
  }
}

test('a folder that was emptied while the service was down: servers are there, a warning is there', async () => {
  const files = new Map<string, string>();
  for (const file of await readdir(service.configsDir)) {
    files.set(file, await readFile(join(service.configsDir, file), 'utf8'));
  }
  await service.stop();
  for (const file of files.keys()) await rm(join(service.configsDir, file));

  await service.restart();

  assert.match((await warnings()).join(), 'is empty and lacks the files of `one`, `two`');
  const { configs } = await manage(service, 'GET', '/api/status');
  assert.is(configs.ok, false);
  await assertBothServe();
  for (const [file, text] of files) {
    await writeFile(`${join(service.configsDir, file)}.half`, text);
    await rename(`${join(service.configsDir, file)}.half`, join(service.configsDir, file));
  }
  await isTakenBack();
  assert.is((await manage(service, 'GET', '/api/status')).configs.ok, true);
  await assertBothServe();
});

test('a folder that is renamed away and back while the service runs', async () => {
  const away = `${service.configsDir}-away`;
  await rename(service.configsDir, away);
  await told('is missing or cannot be read');
  await assertBothServe();

  await rename(away, service.configsDir);

  await isTakenBack();
  await assertBothServe();
});

test('a folder that is started without, and another one in its place', async () => {
  const away = `${service.configsDir}-away`;
  await service.stop();
  await rename(service.configsDir, away);
  await service.restart();
  assert.match((await warnings()).join(), 'is missing or cannot be read');
  await assertBothServe();

  await mkdir(service.configsDir);
  await told('is empty');
  await assertBothServe();
  await rm(service.configsDir, { recursive: true });
  await rename(away, service.configsDir);

  await isTakenBack();
  await assertBothServe();
});

test('a file that is removed by hand while the service runs takes its server away', async () => {
  const text = await readFile(join(service.configsDir, 'two.json'), 'utf8');
  await rm(join(service.configsDir, 'two.json'));

  await waitUntil('it is gone', async () => (await readServer(service, 'two')) === undefined);
  assert.equal(await warnings(), []);

  await writeFile(join(service.configsDir, 'two.json'), text);
  await areListed();
  await assertBothServe();
});

withEngine(
  'of a container whose file was removed by hand the same one comes back with the file',
  async () => {
    if (!services) return;
    const name = services.name('byhand');
    const boxed = await services.run();
    await provision(boxed, { name, image: testImage('memory') });
    const [before] = await services.containersOf(name);
    const path = join(boxed.configsDir, `${name}.json`);
    const text = await readFile(path, 'utf8');

    await rm(path);
    await waitUntil('it is gone', async () => (await readServer(boxed, name)) === undefined);
    await waitUntil('its container is stopped', async () => {
      const [found] = await services.containersOf(name);
      return found?.id === before?.id && found?.state === 'exited';
    });
    await boxed.restart();
    await writeFile(path, text);
    await waitUntil('it is listed', async () => (await toolsOf(boxed, name)).length > 0);

    const after = await services.containersOf(name);
    assert.equal(
      after.map(({ id, state }) => [id, state]),
      [[before?.id, 'running']],
    );
  },
);

test.run();
