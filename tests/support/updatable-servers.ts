/**
 * Servers whose image is updated and rolled back, on a service that is killed meanwhile: each begins with the image `memory`
 * under a tag that names `everything` by then, so that its tools tell which image it is made from.
 */

import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import pg from 'pg';
import type { ContainerServices } from './container-services.ts';
import { type KilledService, openKilledService } from './killed-service.ts';
import { manage, readServer, replaceTools, toolsOf } from './manager-api.ts';
import { openSession } from './mcp-client.ts';
import { register } from './provisioning.ts';
import { startTaggedImage } from './tagged-image.ts';
import { waitUntil } from './wait-until.ts';

/** Which image a server is made from, with everything that belongs to it. */
export type Made = 'old' | 'new';

export interface UpdatableServers {
  readonly killed: KilledService;
  /** @param hasVolume It keeps `/data`, and something in it. Ready to be updated. */
  begin(name: string, hasVolume: boolean): Promise<void>;
  /** @param act `update` or `rollback` */
  post(name: string, act: string, body?: object): Promise<unknown>;
  /** Resolves once it serves from one image wholly and nothing else is left of it; fails when it stays half done. */
  madeOf(name: string, hasVolume: boolean): Promise<Made>;
  /** Agents are answered by it. */
  assertServes(name: string, made: Made): Promise<void>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

const tools: Readonly<Record<Made, string>> = { old: 'read_graph', new: 'echo' };

export async function openUpdatableServers(
  services: ContainerServices,
  databaseUrl: string,
): Promise<UpdatableServers> {
  const { docker } = services;
  const image = await startTaggedImage(docker, `mcp/kill-${randomBytes(4).toString('hex')}`);
  const killed = await openKilledService(services, databaseUrl);
  const { service } = killed;
  const imageIds: Record<Made, string> = { old: await idOf('memory'), new: await idOf('everything') };
  const database = new pg.Pool({ connectionString: databaseUrl, max: 2 });

  async function idOf(which: string): Promise<string> {
    await image.tagLocally(which);
    return (await docker.getImage(image.reference).inspect()).Id;
  }

  async function column(query: string, name: string): Promise<unknown[]> {
    const { rows } = await database.query({ text: query, values: [name], rowMode: 'array' });
    return rows.flat();
  }

  /** Which image it is made from as far as this shows it. */
  async function evidence(name: string): Promise<Record<string, unknown>> {
    const containers = await services.containersOf(name);
    const of = containers[0] && (await docker.getContainer(containers[0].id).inspect());
    const listed = await toolsOf(service, name);
    const record = await readServer(service, name);
    const byId = (id: unknown) => (id === imageIds.old ? 'old' : id === imageIds.new ? 'new' : id);
    const has = (made: Made) => listed.includes(`${name}__${tools[made]}`);
    return {
      containers: containers.map(({ name: own, state }) => `${own} ${state}`),
      ids: containers.map(({ id }) => id),
      rows: await column('select container_id from containers where server = $1', name),
      volumes: await services.volumesOf(name),
      volumeRows: await column('select volume from server_volumes where server = $1', name),
      temporary: [service.configsDir, service.groupsDir, service.dataDir].flatMap((folder) =>
        readdirSync(folder).filter((file) => file.endsWith('.tmp')),
      ),
      running: record?.running,
      problem: record?.problem,
      container: byId(of?.Image),
      pin: byId((await column('select image_id from server_images where server = $1', name))[0]),
      tools: has('old') === has('new') ? 'both or none' : has('old') ? 'old' : 'new',
      data: of && (await hasMark(of.Id)),
    };
  }

  async function hasMark(id: string): Promise<boolean> {
    return await docker
      .getContainer(id)
      .getArchive({ path: '/data/mark' })
      .then(
        (stream) => {
          (stream as Readable).destroy();
          return true;
        },
        () => false,
      );
  }

  return {
    killed,
    async begin(name, hasVolume) {
      await image.push('memory');
      const volumes = hasVolume ? [{ path: '/data' }] : [];
      const { status, body } = await register(service, { name, image: image.reference, volumes });
      if (status !== 201) throw new Error(JSON.stringify(body));
      const [container] = await services.containersOf(name);
      if (hasVolume && container) await leaveMark(container.id);
      await image.push('everything');
    },
    post: (name, act, body = {}) => manage(service, 'POST', `/api/servers/${name}/${act}`, body),
    async madeOf(name, hasVolume) {
      let last: Record<string, unknown> = {};
      const isSettled = async () => {
        last = await evidence(name);
        const { containers, ids, rows, volumes, volumeRows, temporary, running, problem, data } = last;
        const isOneOf = [last.container, last.pin, last.tools];
        const expected = {
          containers: [`svc-mcp-${name} running`],
          ...{ rows: ids, volumes: volumeRows, temporary: [], running: true, problem: undefined },
        };
        const found = { containers, rows, volumes, temporary, running, problem };
        return (
          JSON.stringify(found) === JSON.stringify(expected) &&
          (volumes as string[]).length === (hasVolume ? 1 : 0) &&
          data === hasVolume &&
          (isOneOf.every((made) => made === 'old') || isOneOf.every((made) => made === 'new'))
        );
      };
      await waitUntil('it is of one image', isSettled, { limitMs: 25_000, everyMs: 100 }).catch((error) => {
        throw new Error(`${error.message}: ${JSON.stringify(last, undefined, 1)}`);
      });
      return last.tools as Made;
    },
    async assertServes(name, made) {
      const tool = `${name}__${tools[made]}`;
      await replaceTools(service, 'svc-global', [tool]);
      const session = await openSession(service.groupUrl());
      const call = { name: tool, arguments: { message: 'there' } };
      const { body } = await session.request('tools/call', call);
      if (body?.result === undefined || body.result.isError) throw new Error(JSON.stringify(body));
    },
    remove: (name) => manage(service, 'DELETE', `/api/servers/${name}`),
    async close() {
      await database.end();
      await services.close();
      await killed.close();
      await image.close();
    },
  };

  async function leaveMark(id: string): Promise<void> {
    const container = docker.getContainer(id);
    const exec = await container.exec({
      Cmd: ['node', '-e', "require('fs').writeFileSync('/data/mark', 'kept')"],
    });
    const output = await exec.start({ Detach: true });
    output.destroy();
    await waitUntil('it has written', () => hasMark(id));
  }
}
