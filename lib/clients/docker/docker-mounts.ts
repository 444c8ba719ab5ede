import { plainPath } from '../../containers/mounts/mount-rules.ts';

/** `--volume` and `--mount` of `docker run` as `volumes` of a registration config, with warnings about the rest. */
export interface DockerMount {
  readonly volume?: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** Options of `-v` that change nothing on Linux, or only the sharing of the volume. */
const harmless = new Set(['', 'rw', 'cached', 'delegated', 'consistent', 'nocopy']);

/** @param value `[SOURCE:]PATH[:OPTIONS]` */
export function volumeOption(value: string): DockerMount {
  if (/^[A-Za-z]:[\\/]/.test(value)) return { warnings: [needsFullPath(value)] };
  const parts = value.split(':');
  const [first = '', second, options = '', ...more] = parts;
  if (more.length > 0) return { warnings: [`left out the volume \`${value}\`, which has too many parts.`] };
  if (second === undefined) return mountOf({ path: first, source: undefined, readOnly: false, left: [] });
  const left = options.split(',').filter((option) => option !== 'ro' && !harmless.has(option));
  return mountOf({ path: second, source: first, readOnly: options.split(',').includes('ro'), left });
}

/** @param value `type=bind,src=…,dst=…,readonly` */
export function mountOption(value: string): DockerMount {
  const fields = new Map(
    value.split(',').map((item) => {
      const [, key = '', text = ''] = /^"?([^=]*)(?:=([\s\S]*?))?"?$/.exec(item) ?? [];
      return [key.trim().toLowerCase(), text] as const;
    }),
  );
  const remove = (...keys: readonly string[]) => {
    const found = keys.find((key) => fields.has(key));
    const text = found === undefined ? undefined : fields.get(found);
    for (const key of keys) fields.delete(key);
    return text;
  };
  const type = remove('type') ?? 'volume';
  const source = remove('source', 'src');
  const path = remove('destination', 'dst', 'target') ?? '';
  const readOnly = remove('readonly', 'ro');
  if (type !== 'bind' && type !== 'volume')
    return { warnings: [`left out a mount of type \`${type}\` at \`${path}\`.`] };
  if (type === 'bind' && !source)
    return { warnings: [`left out the mount at \`${path}\`, which has no source.`] };
  const isReadOnly = readOnly !== undefined && readOnly !== 'false' && readOnly !== '0';
  return mountOf({ path, source: source || undefined, readOnly: isReadOnly, left: [...fields.keys()] });
}

interface Wanted {
  readonly path: string;
  readonly source: string | undefined;
  readonly readOnly: boolean;
  /** Options that are not carried over. */
  readonly left: readonly string[];
}

function mountOf({ path, source, readOnly, left }: Wanted): DockerMount {
  const isPath = source !== undefined && /[/\\~$`%]|^\.+$/.test(source);
  if (isPath && !/^\/[^$`%]*$/.test(source)) return { warnings: [needsFullPath(source)] };
  const volume = {
    path: plainPath(path),
    ...(source === undefined ? {} : { source: isPath ? plainPath(source) : source }),
    ...(readOnly ? { read_only: true } : {}),
  };
  return {
    volume,
    warnings: [
      ...(left.length === 0
        ? []
        : [`left out ${left.map((one) => `\`${one}\``).join(', ')} of the mount at \`${path}\`.`]),
      ...(source === undefined || isPath ? [] : [keepsVolume(source)]),
    ],
  };
}

function needsFullPath(source: string): string {
  return `left out the mount of \`${source}\`: add it to \`volumes\` with the full path on the engine's host.`;
}

/** The volume may contain data already; only the user knows whether a new volume would do. */
function keepsVolume(name: string): string {
  return `uses the engine's volume \`${name}\` with what is in it, and leaves it there when the server goes; without \`source\` it gets one of its own.`;
}
