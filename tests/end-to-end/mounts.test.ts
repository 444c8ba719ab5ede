/** What servers in containers may be given of the host: asked of the whole service, with a real engine. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { manage, readServer, toolsOf } from '../support/manager-api.ts';
import { leftoversOf, provision, register } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { testImage } from '../support/testbed.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('mounts of servers in containers');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
const folder = mkdtempSync(join(tmpdir(), 'svc-mounted-'));
const name = (base: string) => services?.name(base) ?? base;
let service: RunningService;

test.before(async () => {
  if (services) service = await services.run({ env: { ADMIN_TOKEN: undefined } });
});

test.after(async () => {
  await services?.close();
  rmSync(folder, { recursive: true, force: true });
});

withEngine(
  'a `docker run` line is imported with its mounts, and needs the command line for them',
  async () => {
    const server = name('line');
    const lines = join(folder, 'lines.txt');
    writeFileSync(
      lines,
      `docker run -i --rm --name ${server} --shm-size 128m \\\n  -v "${folder}":/work:ro -v /scratch --gpus all ${testImage('memory')}\n`,
    );
    const body = {
      ...{ name: server, transport: 'stdio', image: testImage('memory') },
      volumes: [{ path: '/work', source: folder, read_only: true }],
    };

    const refused = await register(service, body);
    const imported = await service.cli(['import', lines]);

    assert.equal([refused.status, refused.body.code], [403, 'mount_needs_admin']);
    assert.is(imported.code, 0, imported.stderr);
    assert.match(imported.stderr, '`--gpus`');
    assert.is((await toolsOf(service, server)).length, 9);
    const { server: record } = await manage(service, 'GET', `/api/servers/${server}`);
    assert.equal(record.config.volumes, [
      { path: '/work', source: folder, read_only: true },
      { path: '/scratch', read_only: false },
    ]);
    assert.equal([record.config.pull, record.config.shm_mb], ['missing', 128]);
  },
);

withEngine('nobody mounts what belongs to the system or the service, and nothing is left of it', async () => {
  const server = name('never');
  const sources = [
    '/',
    '/etc',
    '/var/run/docker.sock',
    service.dir,
    service.dataDir,
    service.configsDir,
    'svc-mcp-x-1',
  ];

  for (const source of sources) {
    const config = join(folder, 'never.json');
    const volumes = [{ path: '/work', source, read_only: true }];
    const document = { name: server, transport: 'stdio', image: testImage('memory'), volumes };
    writeFileSync(config, JSON.stringify(document));

    const registered = await service.cli(['register', '-c', config]);
    const provisioned = await provision(service, { name: server, image: testImage('memory'), volumes });

    assert.is(registered.code, 1, source);
    assert.match(registered.stderr, /`volumes\.0\.source`.*`ALLOWED_MOUNTS`/);
    assert.equal([provisioned.status, provisioned.body.code], [403, 'mount_not_allowed'], source);
  }
  assert.equal(services && (await leftoversOf(services, service, server)), []);
});

withEngine(
  'a config file with such a mount is a problem of its server, which gets no container',
  async () => {
    const server = name('file');
    const volumes = [{ path: '/work', source: '/proc' }];
    const document = { name: server, transport: 'stdio', image: testImage('memory'), volumes };
    writeFileSync(join(service.configsDir, `${server}.json`), JSON.stringify(document));

    const record = await waitUntil('it is seen', () => readServer(service, server));

    assert.is(record.status, 'failed');
    assert.match(record.problem, /`volumes\.0\.source`/);
    assert.equal(await services?.containersOf(server), []);
  },
);

test.run();
