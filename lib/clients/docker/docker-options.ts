/**
 * The options of `docker run` and `podman run`, parsed by their rules: `--name value`, `--name=value`, `-n value`,
 * `-nvalue`, and several letters in one (`-it`). The parser needs to know which options have a value
 * (docs.docker.com/reference/cli/docker/container/run).
 */
export interface DockerOption {
  /** In its long form, without dashes. */
  readonly name: string;
  /** `true` or `false` for a switch. */
  readonly value: string;
}

export interface DockerWords {
  readonly options: readonly DockerOption[];
  /** The image and the words after it. */
  readonly rest: readonly string[];
}

const letters: Readonly<Record<string, string>> = {
  ...{ a: 'attach', c: 'cpu-shares', d: 'detach', e: 'env', h: 'hostname', i: 'interactive', l: 'label' },
  ...{
    m: 'memory',
    p: 'publish',
    P: 'publish-all',
    q: 'quiet',
    t: 'tty',
    u: 'user',
    v: 'volume',
    w: 'workdir',
  },
};

const otherNames: Readonly<Record<string, string>> = { net: 'network', 'net-alias': 'network-alias' };

const switches = new Set([
  ...[
    'detach',
    'init',
    'interactive',
    'no-healthcheck',
    'oom-kill-disable',
    'privileged',
    'publish-all',
    'quiet',
  ],
  ...['read-only', 'rm', 'sig-proxy', 'tty', 'disable-content-trust', 'use-api-socket'],
  ...['env-host', 'http-proxy', 'no-hosts', 'no-hostname', 'replace', 'rmi', 'tls-verify'],
]);

const valued = new Set([
  ...[
    'add-host',
    'annotation',
    'attach',
    'blkio-weight',
    'cap-add',
    'cap-drop',
    'cgroup-parent',
    'cgroupns',
    'cidfile',
  ],
  ...['cpu-period', 'cpu-quota', 'cpu-shares', 'cpus', 'cpuset-cpus', 'cpuset-mems', 'detach-keys', 'device'],
  ...[
    'device-cgroup-rule',
    'dns',
    'dns-option',
    'dns-search',
    'domainname',
    'entrypoint',
    'env',
    'env-file',
    'expose',
  ],
  ...[
    'gpus',
    'group-add',
    'health-cmd',
    'health-interval',
    'health-retries',
    'health-start-period',
    'health-timeout',
  ],
  ...[
    'hostname',
    'ip',
    'ip6',
    'ipc',
    'isolation',
    'label',
    'label-file',
    'link',
    'link-local-ip',
    'log-driver',
    'log-opt',
  ],
  ...[
    'mac-address',
    'memory',
    'memory-reservation',
    'memory-swap',
    'memory-swappiness',
    'mount',
    'name',
    'network',
  ],
  ...[
    'network-alias',
    'oom-score-adj',
    'pid',
    'pids-limit',
    'platform',
    'publish',
    'pull',
    'restart',
    'runtime',
  ],
  ...[
    'secret',
    'security-opt',
    'shm-size',
    'stop-signal',
    'stop-timeout',
    'storage-opt',
    'sysctl',
    'tmpfs',
    'ulimit',
  ],
  ...['user', 'userns', 'uts', 'volume', 'volume-driver', 'volumes-from', 'workdir'],
]);

/** Returns the name of an unknown option instead, since the word after it may or may not be its value. */
export function readDockerOptions(words: readonly string[]): DockerWords | { readonly unknown: string } {
  const options: DockerOption[] = [];
  for (let at = 0; ; at++) {
    const word = words[at];
    if (word === undefined || !/^-./.test(word)) return { options, rest: words.slice(at) };
    if (word === '--') return { options, rest: words.slice(at + 1) };
    const read = word.startsWith('--') ? readLong(word) : readLetters(word);
    if (read.unknown !== undefined) return { unknown: read.unknown };
    options.push(...read.options);
    if (read.wantsValue !== undefined) options.push({ name: read.wantsValue, value: words[++at] ?? '' });
  }
}

interface Read {
  readonly options: readonly DockerOption[];
  /** The next word is the value of this one. */
  readonly wantsValue?: string;
  readonly unknown?: string;
}

function readLong(word: string): Read {
  const [, given = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  const name = otherNames[given] ?? given;
  if (switches.has(name)) return { options: [{ name, value: value ?? 'true' }] };
  if (!valued.has(name)) return { options: [], unknown: `--${given}` };
  return value === undefined ? { options: [], wantsValue: name } : { options: [{ name, value }] };
}

function readLetters(word: string): Read {
  const options: DockerOption[] = [];
  for (let at = 1; at < word.length; at++) {
    const name = letters[word.charAt(at)];
    if (name === undefined) return { options, unknown: `-${word.charAt(at)}` };
    if (switches.has(name)) {
      options.push({ name, value: 'true' });
      continue;
    }
    const value = word.slice(at + 1).replace(/^=/, '');
    return value === '' ? { options, wantsValue: name } : { options: [...options, { name, value }] };
  }
  return { options };
}
