/** Servers in containers of the test bed, behind the upstreams of a service that can be restarted. */
import { defaultTimeouts, type ServerConfig } from '../../lib/config/server-config.ts';
import { silentLog } from '../../lib/log.ts';
import { createKeeperFixture, type Testbed, testImage } from './testbed.ts';
import { createUpstreamFixture, serverConfig, type UpstreamFixture } from './upstream-fixture.ts';
import { waitUntil } from './wait-until.ts';

export interface ContainerServers {
  /** Of the service that runs now. */
  service(): UpstreamFixture;
  restartService(): Promise<void>;
  /** Of the image `everything` unless told otherwise; names are without what makes them unique. */
  config(base: string, fields?: Partial<ServerConfig>): ServerConfig;
  /** Registers it; resolves with the number of its tools. */
  add(config: ServerConfig): Promise<number>;
  echo(base: string): Promise<string>;
  /** Calls until it answers. */
  answers(base: string): Promise<unknown>;
  container(base: string): ReturnType<Testbed['docker']['getContainer']>;
  /** `name state` of each container of that server. */
  present(base: string): Promise<string[]>;
  /** Resolves when exactly these states are there. */
  isPresent(base: string, ...states: string[]): Promise<unknown>;
  close(): Promise<void>;
}

export const timeouts = (startMs: number, idleStopSeconds = 0) => ({
  ...defaultTimeouts,
  startMs,
  idleStopSeconds,
});

export async function startContainerServers(
  bed: Testbed,
  images: readonly string[],
): Promise<ContainerServers> {
  const { containers, docker, name } = bed;
  const { signal } = new AbortController();
  for (const image of images) await containers.pull(testImage(image), () => {}, signal);
  const keeping = await createKeeperFixture(containers);
  let fixture = start();

  function start(): UpstreamFixture {
    return createUpstreamFixture({
      containers: { containers, containerStore: keeping.containerStore, log: silentLog },
    });
  }

  const echo = (base: string) => fixture.callText(name(base), 'echo', { message: base });
  const present = async (base: string) =>
    (await bed.present()).filter((line) => line.startsWith(`svc-mcp-${name(base)}`));

  return {
    service: () => fixture,
    async restartService() {
      await fixture.close();
      fixture = start();
    },
    config: (base, fields = {}) =>
      serverConfig({ name: name(base), image: testImage('everything'), ...fields }),
    async add(config) {
      const candidate = await fixture.upstreams.prepare(config);
      await candidate.commit();
      return candidate.tools.length;
    },
    echo,
    answers: (base) =>
      waitUntil(`${base} answers`, async () => (await echo(base)) === `Echo: ${base}`, { limitMs: 5000 }),
    container: (base) => docker.getContainer(`svc-mcp-${name(base)}`),
    present,
    isPresent: (base, ...states) =>
      waitUntil(`${base} is ${states.join(', ') || 'gone'}`, async () => {
        const found = (await present(base)).map((line) => line.split(' ')[1]);
        return found.join() === states.join();
      }),
    async close() {
      await fixture.close();
      await keeping.close();
      await bed.close();
    },
  };
}
