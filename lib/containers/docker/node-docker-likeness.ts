import type { Containers } from '../containers.ts';
import { type CreateOptions, createBody } from './create-body.ts';
import { abortable, type DockerClient, unlessGone } from './node-docker-client.ts';

/** Compares a container with a spec, values included, and returns only the result. */
export function createDockerLikeness(
  client: DockerClient,
  options: Omit<CreateOptions, 'project'>,
): Pick<Containers, 'isMadeLike'> {
  return {
    async isMadeLike(id, spec) {
      const made = await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getContainer(id).inspect({ abortSignal })),
      );
      if (made === undefined) return false;
      const image = await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getImage(made.Image).inspect(abortable({}, abortSignal))),
      );
      if (image === undefined) return false;
      const container = made as unknown as MadeContainer;
      return isMadeLike(
        container,
        image.Config as ImageDefaults,
        createBody(spec, { ...options, project: undefined }),
      );
    },
  };
}

/**
 * Whether a container was made from a spec: compares the engine's facts of the container with the create body and the
 * defaults that the image adds. For containers whose hash was made with another key and is useless. Handles values of
 * variables.
 */
export interface MadeContainer {
  readonly Config: ImageDefaults;
  readonly HostConfig: {
    readonly Memory?: number;
    readonly NanoCpus?: number;
    readonly PidsLimit?: number | null;
    readonly ShmSize?: number;
    readonly ReadonlyRootfs?: boolean;
    readonly NetworkMode?: string;
    readonly CapAdd?: readonly string[] | null;
  };
  readonly Mounts?: readonly {
    readonly Type?: string;
    readonly Name?: string | undefined;
    readonly Source: string;
    readonly Destination: string;
    readonly RW: boolean;
  }[];
}

/** The defaults that an image declares, in the engine's format. */
export interface ImageDefaults {
  readonly Env?: readonly string[] | null;
  readonly Cmd?: readonly string[] | string | null;
  readonly Entrypoint?: readonly string[] | string | null;
  readonly User?: string;
  readonly ExposedPorts?: object | null;
}

const usualShmBytes = 64 * 1024 * 1024;

export function isMadeLike(
  { Config: made, HostConfig: host, Mounts: mounts = [] }: MadeContainer,
  image: ImageDefaults,
  body: ReturnType<typeof createBody>,
): boolean {
  const { HostConfig: bodyHost } = body;
  const ownCommand = body.Entrypoint === undefined ? image.Cmd : undefined;
  return (
    isSame(variables([...(image.Env ?? []), ...body.Env]), variables(made.Env ?? [])) &&
    isSame(list(body.Cmd ?? ownCommand), list(made.Cmd)) &&
    isSame(list(body.Entrypoint ?? image.Entrypoint), list(made.Entrypoint)) &&
    (body.User ?? image.User ?? '') === (made.User ?? '') &&
    isSame(
      Object.keys({ ...image.ExposedPorts, ...body.ExposedPorts }).sort(),
      Object.keys(made.ExposedPorts ?? {}).sort(),
    ) &&
    bodyHost.Memory === host.Memory &&
    bodyHost.NanoCpus === host.NanoCpus &&
    bodyHost.PidsLimit === (host.PidsLimit ?? undefined) &&
    (bodyHost.ShmSize ?? usualShmBytes) === host.ShmSize &&
    bodyHost.ReadonlyRootfs === host.ReadonlyRootfs &&
    bodyHost.NetworkMode === host.NetworkMode &&
    isSame(capabilities(bodyHost.CapAdd), capabilities(host.CapAdd)) &&
    isSame(
      (bodyHost.Mounts ?? []).map((each) => [each.Type, each.Source, each.Target, !each.ReadOnly]).sort(),
      mounts.map((each) => [each.Type, sourceOf(each), each.Destination, each.RW]).sort(),
    )
  );
}

/** Later values win, as with the engine. */
function variables(lines: readonly string[]): readonly (readonly [string, string])[] {
  const byName = new Map<string, string>();
  for (const line of lines) {
    const end = line.indexOf('=');
    byName.set(end === -1 ? line : line.slice(0, end), line);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
}

function list(words: readonly string[] | string | null | undefined): readonly string[] {
  return typeof words === 'string' ? [words] : (words ?? []);
}

function capabilities(names: readonly string[] | null | undefined): readonly string[] {
  return (names ?? []).map((name) => name.replace(/^CAP_/, '')).sort();
}

function sourceOf(mount: NonNullable<MadeContainer['Mounts']>[number]): string {
  return mount.Type === 'volume' ? (mount.Name ?? '') : mount.Source;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
