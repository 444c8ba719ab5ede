import type { ProvisionRequest } from '../../../lib/catalog/provision-request.ts';
import type { ServerConfig } from '../../../lib/catalog/server-config.ts';
import type { ContainerFit, ServerData } from '../../../lib/containers/container-data.ts';
import type { ContainerFacts, PullProgress } from '../../../lib/containers/containers.ts';
import type { ImagePins } from '../../../lib/containers/image-pins.ts';
import { createImageStarts } from '../../../lib/containers/image-starts.ts';
import type { ProvisionStep } from '../../../lib/containers/provision-steps.ts';
import type { VolumeRow } from '../../../lib/containers/volume-rows.ts';
import { Failure } from '../../../lib/http/failure.ts';
import { createMemoryPins } from '../../support/memory-pins.ts';
import { type RegistryFixture, withRegistry } from '../catalog/registry-fixture.ts';

/** An engine that does what the test says, as far as provisioning asks one. */
export interface FakeEngine {
  problem: string | undefined;
  isOwner: boolean;
  ports: readonly number[];
  hasImage: boolean;
  pull: (onProgress: (progress: PullProgress) => void, signal: AbortSignal) => Promise<void>;
  ensure: (config: ServerConfig) => Promise<void>;
  /** What the keeper says of the container that there is. */
  fit: Partial<ContainerFit>;
  readonly pins: ImagePins;
  /** Servers that have a container. */
  readonly containers: Set<string>;
  /** The configs that containers were made for, references resolved. */
  readonly made: ServerConfig[];
  /** Volumes by their server. */
  readonly volumes: Map<string, VolumeRow>;
  /** `stop demo`, `remove demo`: in order. */
  readonly acts: string[];
}

export interface ProvisionFixture extends RegistryFixture {
  readonly engine: FakeEngine;
  readonly steps: ProvisionStep[];
  /** As an administrator, where a test does not say otherwise. */
  provision(
    changes?: Partial<ProvisionRequest>,
    signal?: AbortSignal,
    isAdministrator?: boolean,
  ): Promise<readonly string[]>;
}

const pullPatienceMs = 150;

/** Runs `work` with a registry over real files and an engine that does what the test says. */
export async function withProvisioning(work: (fixture: ProvisionFixture) => Promise<void>): Promise<void> {
  const engine: FakeEngine = {
    problem: undefined,
    isOwner: true,
    ports: [],
    hasImage: true,
    pull: async () => {},
    ensure: async () => {},
    fit: {},
    pins: createMemoryPins(),
    containers: new Set(),
    made: [],
    volumes: new Map(),
    acts: [],
  };
  const steps: ProvisionStep[] = [];

  await withRegistry(
    (fixture) =>
      work({
        ...fixture,
        engine,
        steps,
        async provision(changes = {}, signal = new AbortController().signal, isAdministrator = true) {
          const request = { name: 'demo', image: 'mcp/demo:1', ...changes };
          const onStep = (step: ProvisionStep) => void steps.push(step);
          const watch = { onStep, signal };
          const { server } = await fixture.registry.provision(request, watch, { isAdministrator });
          return server.tools.map(({ fullName }) => fullName);
        },
      }),
    ({ upstreams, secrets }) => {
      const containers = {
        problem: async () => engine.problem,
        pull: (_image: string, onProgress: (progress: PullProgress) => void, signal: AbortSignal) =>
          engine.pull(onProgress, signal),
        image: async () =>
          engine.hasImage ? { id: 'sha256:1', ports: engine.ports, volumes: [], digests: [] } : undefined,
      };
      const keeper = {
        async ensure(config: ServerConfig) {
          await engine.ensure(config);
          engine.made.push(config);
          engine.containers.add(config.name);
          return {} as ContainerFacts;
        },
        async remove(server: string) {
          engine.acts.push(`remove ${server}`);
          const containers = engine.containers.delete(server) ? [`svc-mcp-${server}`] : [];
          const volume = engine.volumes.get(server)?.volume;
          engine.volumes.delete(server);
          return { containers, volumes: volume === undefined ? [] : [volume] };
        },
        async stop(server: string) {
          engine.acts.push(`stop ${server}`);
        },
        asked: () => () => {},
        inherit: async () => async () => {},
        fit: async (): Promise<ContainerFit> => ({
          ...{ container: 'none', atRisk: undefined, hasVolumes: false, strangePaths: [] },
          imageId: 'sha256:1',
          ...engine.fit,
        }),
        data: async (server: string): Promise<ServerData> => {
          const volume = engine.volumes.get(server);
          return { volumes: volume ? [volume] : [], mounts: [], layer: undefined };
        },
      };
      const isOwner = () => engine.isOwner;
      const images = createImageStarts({ containers, keeper, upstreams, secrets, isOwner, pullPatienceMs });
      return { images, keeper, pins: engine.pins, isOwner };
    },
  );
}

/** What a failed provision is answered with; fails when the work succeeds. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );
  if (outcome instanceof Failure) return outcome;
  throw outcome;
}

/** Whether anything is left of the server `demo`: container, file, row, secret, note, name. */
export async function leftOf(fixture: ProvisionFixture): Promise<string[]> {
  const { engine, catalog, journal, secrets, upstreams, readConfig, registry } = fixture;
  const left: [string, boolean][] = [
    ['container', engine.containers.has('demo')],
    ['row', catalog.server('demo') !== undefined],
    ['file', (await readConfig('demo')) !== undefined],
    ['secret', (await secrets.names()).size > 0],
    ['note', journal.entries.size > 0],
    ['connection', upstreams.serving.has('demo')],
    ['name', registry.busyNames().length > 0],
  ];
  return left.filter(([, isLeft]) => isLeft).map(([what]) => what);
}
