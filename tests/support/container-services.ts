/**
 * Services that provision on the test bed's engine, what they have there, and servers run without any service. Servers
 * get names of their own, so that tests beside each other on one engine see nothing of each other; whatever carries
 * such a name is removed at the end, with the networks of its deployment.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type Docker from 'dockerode';
import { type RunningService, type RunServiceOptions, runService } from './run-service.ts';
import { openTestbed, removeKeptTags } from './testbed.ts';

export interface ContainerServices {
  readonly docker: Docker;
  /** A server's name that no other test has. */
  name(base: string): string;
  run(options?: RunServiceOptions): Promise<RunningService>;
  /** Ids and states of all containers that any deployment made for this server. */
  containersOf(server: string): Promise<readonly FoundContainer[]>;
  /** Names of all volumes that any deployment made for this server. */
  volumesOf(server: string): Promise<readonly string[]>;
  /** The image's own process, reached over its standard input and output. */
  directly(image: string, env?: Readonly<Record<string, string>>): Transport;
  close(): Promise<void>;
}

export interface FoundContainer {
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

/** Undefined, after one line that says why, where there is no engine. */
export async function openContainerServices(): Promise<ContainerServices | undefined> {
  const testbed = await openTestbed();
  if (testbed === undefined) return undefined;
  const { docker } = testbed;
  const services: RunningService[] = [];
  const deployments = new Set<string>();
  const direct: Promise<Docker.Container>[] = [];
  const mark = testbed.name('');

  async function listed(filter: (server: string) => boolean) {
    const all = await docker.listContainers({ all: true, filters: { label: ['svc-mcp.server'] } });
    const found = all.filter(({ Labels }) => filter(Labels['svc-mcp.server'] ?? ''));
    for (const { Labels } of found) deployments.add(Labels['svc-mcp.deployment'] ?? '');
    return found;
  }

  return {
    docker,
    name: testbed.name,
    async run(options = {}) {
      const service = await runService(options);
      services.push(service);
      return service;
    },
    async containersOf(server) {
      const found = await listed((name) => name === server);
      return found.map(({ Id, Names, State }) => ({
        id: Id,
        name: (Names[0] ?? '').slice(1),
        state: State,
      }));
    },
    async volumesOf(server) {
      const filters = JSON.stringify({ label: [`svc-mcp.server=${server}`] });
      const { Volumes: volumes } = await docker.listVolumes({ filters });
      return (volumes ?? []).map(({ Name }) => Name);
    },
    directly(image, env = {}) {
      const { transport, container } = directTransport(docker, image, env);
      direct.push(container);
      return transport;
    },
    async close() {
      for (const service of services) await service.remove();
      for (const { Id } of await listed((name) => name.endsWith(mark))) await remove(docker.getContainer(Id));
      for (const container of direct) await remove(await container);
      await removeVolumes(docker, mark);
      for (const id of deployments) await removeNetwork(docker, id);
      await removeKeptTags(docker, deployments);
      await testbed.close();
    },
  };
}

async function remove(container: Docker.Container): Promise<void> {
  await container.remove({ force: true, v: true }).catch(() => {});
}

async function removeVolumes(docker: Docker, mark: string): Promise<void> {
  const filters = JSON.stringify({ label: ['svc-mcp.server'] });
  const { Volumes: volumes } = await docker.listVolumes({ filters });
  for (const { Name, Labels } of volumes ?? []) {
    if (Labels['svc-mcp.server']?.endsWith(mark))
      await docker
        .getVolume(Name)
        .remove()
        .catch(() => {});
  }
}

async function removeNetwork(docker: Docker, deploymentId: string): Promise<void> {
  const network = docker.getNetwork(`svc-mcp-${deploymentId}`);
  await network.remove().catch(() => {});
}

function directTransport(docker: Docker, image: string, env: Readonly<Record<string, string>>) {
  let write: (text: string) => void = () => {};
  const container = docker.createContainer({
    Image: image,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    OpenStdin: true,
    HostConfig: { Init: true },
  });
  const transport: Transport = {
    async start() {
      const made = await container;
      const stream = await made.attach({
        stream: true,
        hijack: true,
        stdin: true,
        stdout: true,
        stderr: true,
      });
      let begun = '';
      const take = (chunk: Buffer) => {
        const lines = (begun + chunk.toString()).split('\n');
        begun = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      };
      const nobody = { write() {} };
      docker.modem.demuxStream(stream, { write: take } as unknown as NodeJS.WritableStream, nobody as never);
      write = (text) => void stream.write(text);
      await made.start();
    },
    async send(message) {
      write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      await remove(await container);
    },
  };
  return { transport, container };
}
