/** An engine in memory: containers without processes, whose output and ends are what the test says. For faults only. */
import type {
  Attachment,
  ContainerEvent,
  ContainerFacts,
  ContainerSpec,
  Containers,
  VolumeFacts,
} from '../../lib/containers/containers.ts';
import { engineUnavailable } from '../../lib/containers/docker/engine-failures.ts';
import { Failure } from '../../lib/failure.ts';

export interface ScriptedContainer {
  readonly spec: ContainerSpec;
  facts: ContainerFacts;
  /** What was written to its stdin. */
  written: string;
  /** Its stdin takes nothing more. */
  isFull: boolean;
  isKept: boolean;
  /** Paths in its writable layer. */
  changes: readonly string[];
  print(text: string): void;
  /** It reads again. */
  drain(): void;
  /** Its process ends by itself. */
  exit(code: number): void;
}

export interface ScriptedContainers extends Containers {
  /** The calls that changed something, such as `start svc-mcp-files`. */
  readonly calls: string[];
  isAway: boolean;
  /** Names and ids of images → id. */
  readonly images: Map<string, string>;
  /** Ids of images → the paths they declare as volumes. */
  readonly declared: Map<string, readonly string[]>;
  /** Servers → the images that carry a tag of ours for them. */
  readonly keptImages: Map<string, readonly string[]>;
  readonly volumeFacts: Map<string, VolumeFacts>;
  all(): ScriptedContainer[];
  named(name: string): ScriptedContainer;
  /** Somebody else's. */
  occupy(name: string): void;
  /** An event of that container, and whatever it says of it. */
  tell(name: string, action: ContainerEvent['action']): void;
  breakEvents(): void;
}

export function createScriptedContainers(): ScriptedContainers {
  const containers = new Map<string, ScriptedContainer>();
  const volumes = new Map<string, VolumeFacts>();
  const foreign = new Set<string>();
  const calls: string[] = [];
  const images = new Map([
    ['tool:1', 'image-1'],
    ['image-1', 'image-1'],
  ]);
  const declared = new Map<string, readonly string[]>();
  const followers: { onEvent: (event: ContainerEvent) => void; onGap: () => void }[] = [];
  let lastId = 0;

  const engine: ScriptedContainers = {
    calls,
    isAway: false,
    images,
    declared,
    keptImages: new Map(),
    volumeFacts: volumes,
    all: () => [...containers.values()],
    named(name) {
      const found = engine.all().find(({ facts }) => facts.name === name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    },
    occupy: (name) => void foreign.add(name),
    tell(name, action) {
      const { id, server } = engine.named(name).facts;
      for (const { onEvent } of followers) onEvent({ id, server, action, exitCode: undefined });
    },
    breakEvents() {
      for (const { onGap } of followers) onGap();
    },
    problem: async () => (engine.isAway ? 'The container engine does not answer.' : undefined),
    pull: (image) =>
      answer(() => {
        images.set(image, 'pulled');
        images.set('pulled', 'pulled');
      }),
    image: (image) =>
      answer(() => {
        const id = images.get(image);
        return id === undefined ? undefined : { id, ports: [], volumes: declared.get(id) ?? [], digests: [] };
      }),
    registryDigest: (image) => answer(() => `sha256:${images.get(image)}`),
    create: (spec) =>
      answer(() => {
        calls.push(`create ${spec.name}`);
        const isTaken = foreign.has(spec.name) || engine.all().some(({ facts }) => facts.name === spec.name);
        if (isTaken) throw new Failure('conflict', `A container named \`${spec.name}\` exists already.`);
        const id = `id-${++lastId}`;
        containers.set(id, createContainer(spec, id, images.get(spec.image) ?? ''));
        return id;
      }),
    start: (id) =>
      change('start', id, (found) => update(found, { status: 'running', startedAt: new Date() })),
    stop: (id) =>
      change('stop', id, (found) => {
        if (found.facts.status === 'running') found.exit(143);
      }),
    remove: (id) => change('remove', id, () => void containers.delete(id)),
    changes: (id) => answer(() => containers.get(id)?.changes ?? []),
    isMadeLike: (id, spec) => answer(() => madeOf(containers.get(id)?.spec) === madeOf(spec)),
    keepImages: (server, ids) => answer(() => void engine.keptImages.set(server, ids)),
    createVolume: (volume) =>
      answer(() => {
        if (!volumes.has(volume.name)) volumes.set(volume.name, { ...volume, isOurs: true });
        return volume.name;
      }),
    volume: (name) => answer(() => volumes.get(name)),
    volumes: () => answer(() => [...volumes.values()].filter(({ isOurs }) => isOurs)),
    removeVolume: (name) =>
      answer(() => {
        if (engine.all().some(({ facts }) => facts.mounts.some(({ source }) => source === name))) {
          throw new Failure('conflict', `Volume \`${name}\` is in use by a container.`);
        }
        volumes.delete(name);
      }),
    rename: (id, name) => change('rename', id, (found) => update(found, { name })),
    keepRunning: (id) =>
      change('keep', id, (found) => {
        found.isKept = true;
      }),
    inspect: (id) => answer(() => containers.get(id)?.facts),
    list: () => answer(() => engine.all().map(({ facts }) => facts)),
    attach: (id) => answer(() => attachmentOf(containers.get(id))),
    logs: async () => [],
    followLogs: async () => {},
    follow: (onEvent, onGap) => void followers.push({ onEvent, onGap }),
  };
  return engine;

  async function answer<Result>(work: () => Result): Promise<Result> {
    await Promise.resolve();
    if (engine.isAway) throw engineUnavailable();
    return work();
  }

  function change(what: string, id: string, work: (found: ScriptedContainer) => void): Promise<void> {
    return answer(() => {
      const found = containers.get(id);
      if (found === undefined) return;
      calls.push(`${what} ${found.facts.name}`);
      work(found);
    });
  }
}

function madeOf(spec: ContainerSpec | undefined): string {
  return JSON.stringify({ ...spec, name: '', configHash: '', image: '', reference: '' });
}

type Output = {
  onStdout(bytes: Uint8Array): void;
  onStderr(bytes: Uint8Array): void;
  onDrain(): void;
  onEnd(): void;
};

const outputs = new WeakMap<ScriptedContainer, Set<Output>>();

function update(container: ScriptedContainer, facts: Partial<ContainerFacts>): void {
  container.facts = { ...container.facts, ...facts };
}

function createContainer(spec: ContainerSpec, id: string, imageId: string): ScriptedContainer {
  const listening = new Set<Output>();
  const { name, server, sessionId, configHash, image, reference, port } = spec;
  const container: ScriptedContainer = {
    spec,
    facts: {
      ...{ id, name, server, sessionId, configHash, image, reference, imageId, port, status: 'created' },
      ...{ exitCode: undefined, startedAt: undefined, address: undefined, mounts: spec.mounts },
    },
    written: '',
    isFull: false,
    isKept: false,
    changes: [],
    print(text) {
      for (const each of listening) each.onStdout(Buffer.from(text));
    },
    drain() {
      container.isFull = false;
      for (const each of listening) each.onDrain();
    },
    exit(exitCode) {
      update(container, { status: 'exited', exitCode });
      for (const each of [...listening]) each.onEnd();
    },
  };
  outputs.set(container, listening);
  return container;
}

function attachmentOf(container: ScriptedContainer | undefined): Attachment {
  if (container === undefined) throw new Error('there is no such container');
  const listening = outputs.get(container);
  const output: Output = { onStdout() {}, onStderr() {}, onDrain() {}, onEnd() {} };
  listening?.add(output);
  return {
    write(text) {
      container.written += text;
      return !container.isFull;
    },
    onStdout(handler) {
      output.onStdout = handler;
    },
    onStderr(handler) {
      output.onStderr = handler;
    },
    onDrain(handler) {
      output.onDrain = handler;
    },
    onEnd(handler) {
      output.onEnd = () => {
        listening?.delete(output);
        handler();
      };
    },
    detach: () => void listening?.delete(output),
  };
}
