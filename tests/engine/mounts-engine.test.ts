/** Folders of the host, on a real engine: what the engine does with them, and what it is never asked to do. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerMount } from '../../lib/containers/containers.ts';
import { containerSpec } from '../../lib/containers/store/make-container.ts';
import type { Failure } from '../../lib/failure.ts';
import { openTestbed, testImage } from '../support/testbed.ts';
import { failureOf, serverConfig } from '../support/upstream-fixture.ts';

const test = suite('mounts on the engine');
const bed = await openTestbed();

if (bed) {
  const { containers, name } = bed;
  const specOf = (server: string, mounts: readonly ContainerMount[]) =>
    containerSpec(serverConfig({ name: name(server), image: testImage('everything') }), {
      ...{ name: `svc-mcp-${name(server)}`, sessionId: undefined, configHash: 'hash', mounts },
    });
  let folder: string;

  test.before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-mcp-mounts-'));
    await containers.pull(testImage('everything'), () => {}, new AbortController().signal);
  });
  test.after(async () => {
    await bed.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a folder of the host that is not there is named, and not made', async () => {
    const source = join(folder, 'missing');

    const failure = await failureOf(
      containers.create(specOf('absent', [{ type: 'bind', source, path: '/data', readOnly: false }])),
    );

    assert.is(failure.code, 'provision_failed');
    assert.is((failure as Failure).status, 422);
    assert.is(
      failure.message,
      `The folder \`${source}\` of \`volumes\` is not there on the engine’s host; make it first, or name another.`,
    );
    assert.not.ok(existsSync(source));
    assert.equal(await bed.present(), []);
  });

  test('a folder of the host is mounted, read-only where that is asked', async () => {
    const mounts: ContainerMount[] = [{ type: 'bind', source: folder, path: '/data', readOnly: true }];

    const facts = await containers.inspect(await containers.create(specOf('present', mounts)));

    assert.equal(facts?.mounts, mounts);
  });

  test('a service in a container knows what it has mounted itself, as the host calls it', async () => {
    const mounts: ContainerMount[] = [
      { type: 'bind', source: folder, path: '/app/configs', readOnly: false },
    ];
    const ownContainer = await containers.create(specOf('own', mounts));
    const within = bed.connect({ managerRunsInContainer: true, ownContainer });
    const outside = bed.connect({ ownContainer });
    const unknown = bed.connect({ managerRunsInContainer: true, ownContainer: 'nobody' });

    assert.equal(await within.ownMounts(), mounts);
    assert.equal(await outside.ownMounts(), []);
    assert.equal(await unknown.ownMounts(), []);
  });
}

test.run();
