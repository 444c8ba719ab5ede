import type { ServerConfig } from '../../../../lib/config/server-config.ts';
import type { ContainerFacts, PullProgress } from '../../../../lib/containers/containers.ts';
import { pullFailure } from '../../../../lib/containers/docker/engine-failures.ts';
import { createEarlierImages } from '../../../../lib/containers/images/earlier-images.ts';
import type { ImagePins } from '../../../../lib/containers/images/image-pins.ts';
import { createImageStarts, type ImageStarts } from '../../../../lib/containers/images/image-starts.ts';
import { createImageUpdates } from '../../../../lib/containers/images/image-updates.ts';
import type { ProvisionStep } from '../../../../lib/containers/images/provision-steps.ts';
import type { ContainerFit, ServerData } from '../../../../lib/containers/store/container-data.ts';
import type { ContainerState } from '../../../../lib/containers/store/container-store.ts';
import type { VolumeRow } from '../../../../lib/containers/store/volume-rows.ts';
import { Failure } from '../../../../lib/failure.ts';
import type { ProvisionRequest } from '../../../../lib/registry/provisioning/provision-request.ts';
import {
  createMemoryAvailableUpdates,
  createMemoryDigests,
} from '../../../support/memory-available-updates.ts';
import { createMemoryPins } from '../../../support/memory-pins.ts';
import { type RegistryFixture, withRegistry } from '../registry-fixture.ts';

/** An engine that does what the test says, as far as provisioning asks one. */
export interface FakeEngine {
  problem: string | undefined;
  isOwner: boolean;
  ports: readonly number[];
  hasImage: boolean;
  /** The id of the image that every tag names here. */
  imageId: string;
  /** The others that are here. */
  readonly otherImages: Set<string>;
  /** What the registry has under every tag; undefined: it cannot be reached. */
  registryDigest: string | undefined;
  readonly availableUpdates: ReturnType<typeof createMemoryAvailableUpdates>;
  /** Why the local image is used instead, as in `ImageStarts.pull`. */
  pullWarning: string | undefined;
  pull: (onProgress: (progress: PullProgress) => void, signal: AbortSignal) => Promise<void>;
  ensure: (config: ServerConfig) => Promise<void>;
  /** The container store's answer about the existing container. */
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

const pullStallTimeoutMs = 150;

/** Runs `work` with a registry over real files and an engine that does what the test says. */
export async function withProvisioning(work: (fixture: ProvisionFixture) => Promise<void>): Promise<void> {
  const engine: FakeEngine = {
    problem: undefined,
    isOwner: true,
    ports: [],
    hasImage: true,
    imageId: 'sha256:1',
    otherImages: new Set(),
    registryDigest: undefined,
    availableUpdates: createMemoryAvailableUpdates(),
    pullWarning: undefined,
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
    ({ upstreams, secrets, log }) => {
      const containers = {
        problem: async () => engine.problem,
        pull: (_image: string, onProgress: (progress: PullProgress) => void, signal: AbortSignal) =>
          engine.pull(onProgress, signal),
        image: async (image: string) => {
          const [, digest] = image.split('@');
          const present = [engine.imageId, ...engine.otherImages];
          const named =
            digest === undefined ? engine.imageId : present.find((each) => digestOf(each) === digest);
          const id = image.startsWith('sha256:') ? image : (named ?? '');
          const isHere = engine.hasImage && present.includes(id);
          return isHere
            ? { id, ports: engine.ports, volumes: [], digests: [`mcp/demo@${digestOf(id)}`] }
            : undefined;
        },
        async registryDigest(image: string) {
          if (engine.registryDigest !== undefined) return engine.registryDigest;
          throw pullFailure(
            { image, isUnderWay: false, credentials: { troubles: [] } },
            'connection refused',
          );
        },
      };
      const containerStore = {
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
        beginReplacing: () => () => {},
        inherit: async () => async () => {},
        fit: async (config: ServerConfig): Promise<ContainerFit> => ({
          ...{ container: 'none', atRisk: undefined, hasVolumes: false, strangePaths: [] },
          imageId: config.imageId ?? (await engine.pins.of(config.name))?.imageId ?? engine.imageId,
          ...engine.fit,
        }),
        data: async (server: string): Promise<ServerData> => {
          const volume = engine.volumes.get(server);
          return { volumes: volume ? [volume] : [], mounts: [], layer: undefined };
        },
        status: (server: string): ContainerState => ({
          name: server,
          status: 'not found',
          running: false,
          imageId: undefined,
        }),
      };
      const isOwner = () => engine.isOwner;
      const starts = createImageStarts({
        containers,
        containerStore,
        upstreams,
        secrets,
        isOwner,
        pullStallTimeoutMs,
      });
      const images: ImageStarts = {
        ...starts,
        async pull(...given) {
          const { pullWarning: warning } = engine;
          return { ...(await starts.pull(...given)), ...(warning === undefined ? {} : { warning }) };
        },
      };
      const { pins, availableUpdates } = engine;
      const digests = createMemoryDigests();
      const earlier = createEarlierImages({ containers, images, digests });
      const updates = createImageUpdates({
        ...{ containers, pins, digests, availableUpdates, log, everyHours: 0, onAvailableUpdate: () => {} },
      });
      return { images, earlier, updates, containerStore, pins, isOwner };
    },
  );
}

/** What the registry calls an image of this id. */
export const digestOf = (id: string) => `sha256:d${id.slice(7)}`;

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
