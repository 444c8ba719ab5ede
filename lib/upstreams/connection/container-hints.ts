import type { ServerConfig } from '../../config/server-config.ts';

/**
 * Why a server in a container ended or never answered, by its last lines: signs of what the gateway takes from containers
 * (capabilities, a writable root, memory, a network), each with the setting that gives it back. The first row that fits
 * counts, so the certain ones come first; "Perhaps" stands where other causes leave the same sign.
 */
interface Sign {
  readonly sign: RegExp;
  /** In the same line as `sign`. */
  readonly and?: RegExp;
  readonly hint: (config: ServerConfig) => string | undefined;
}

const refused = /not permitted|permission denied|EPERM|EACCES|errno ?[=:]? ?1\b/i;

const signs: readonly Sign[] = [
  {
    sign: /heap out of memory|OutOfMemoryError|\bMemoryError\b|cannot allocate memory|\bENOMEM\b|runtime: out of memory|bad_alloc|memory allocation .*failed/i,
    hint: outOfMemory,
  },
  {
    sign: /no new privileges|effective uid is not 0/i,
    hint: () =>
      'Programs cannot gain rights in a container (`sudo`, `su`): start it as the right user with `user`.',
  },
  {
    sign: /new namespace|CLONE_NEW|unshare|\bmount\b|\bumount\b|zygote|\bfuse\b|iptables|tun\/tap/i,
    and: refused,
    hint: () =>
      'It needs rights of the host that no container gets here (a browser starts with `--no-sandbox` instead).',
  },
  {
    sign: /gosu|su-exec|setpriv|setuidgid|set(?:e|re|res)?[ug]id|setgroups|initgroups|chpst|cannot set (?:groups|[ug]id)|failed switching|switch(?:ing)? (?:to )?user|\bsu: /i,
    and: refused,
    hint: lacks(['SETGID', 'SETUID'], 'It changes its user', ', or name that user in `user`'),
  },
  { sign: /chown|chgrp|changing owner/i, and: refused, hint: lacks(['CHOWN'], 'It changes owners of files') },
  {
    sign: /chmod|changing permissions|utimes?\b/i,
    and: refused,
    hint: lacks(['FOWNER'], 'It changes files of others'),
  },
  { sign: /\bmknod/i, and: refused, hint: lacks(['MKNOD'], 'It makes devices') },
  { sign: /\bchroot/i, and: refused, hint: lacks(['SYS_CHROOT'], 'It changes its root') },
  {
    sign: /raw socket|SOCK_RAW|\bping\b|icmp/i,
    and: refused,
    hint: lacks(['NET_RAW'], 'It opens raw sockets'),
  },
  {
    sign: /\b(?:bind|listen)/i,
    and: refused,
    hint: lacks(
      ['NET_BIND_SERVICE'],
      'It listens on a port below 1024',
      ', or let it listen on a higher one',
    ),
  },
  { sign: /EROFS|read-only file ?system/i, hint: readOnly },
  { sign: /no space left|ENOSPC/i, and: /shm/i, hint: () => 'Its /dev/shm is too small: raise `shm_mb`.' },
  {
    sign: /ENOTFOUND|EAI_AGAIN|ENETUNREACH|could not resolve|network is unreachable|name resolution/i,
    hint: ({ network }) =>
      network === 'none' ? 'It has no network (`network` is `none`) and asks for one.' : undefined,
  },
  {
    sign: /pthread_create|can't start new thread|fork: |resource temporarily unavailable|uv_thread_create/i,
    hint: ({ limits }) =>
      `Perhaps it needs more processes and threads than ${limits.pids}: raise \`limits.pids\`.`,
  },
  {
    sign: /exec format error|wrong ELF class/i,
    hint: () => 'Its image is made for another kind of processor: choose one for this host.',
  },
  { sign: /permission denied|EACCES/i, hint: deniedFile },
  {
    sign: /operation not permitted|EPERM/i,
    hint: () =>
      'Perhaps it lacks a Linux capability; the gateway drops them all but those in `capabilities` of its config.',
  },
];

/** @param lines Since its start, without secrets. */
export function hintOfLines(lines: readonly string[], config: ServerConfig): string | undefined {
  for (const { sign, and = sign, hint } of signs) {
    const fits = lines.some((line) => sign.test(line) && and.test(line));
    const sentence = fits ? hint(config) : undefined;
    if (sentence !== undefined) return sentence;
  }
  return otherPort(lines, config);
}

export function outOfMemory({ limits }: ServerConfig): string {
  return `It ran out of memory (its limit is ${limits.memoryMb} MB): raise \`limits.memory_mb\`.`;
}

/** Exit codes of signals are 128 and the signal's number; for 126 and 127 see POSIX, Shell, 2.8.2. */
export function hintOfExitCode(code: number, isStart: boolean): string | undefined {
  return isStart ? (startExits[code] ?? exits[code]) : exits[code];
}

const exits: Readonly<Record<number, string>> = {
  132: 'It used an instruction that this processor does not have: choose an image for it.',
  137: 'It was killed from outside, or perhaps for lack of memory (`limits.memory_mb`).',
  139: 'It crashed (segmentation fault): perhaps `limits.pids` or `limits.memory_mb` are too low for it.',
};

const startExits: Readonly<Record<number, string>> = {
  0: 'It ended by itself: perhaps it needs other arguments to serve MCP, or speaks HTTP (`transport`, `port`).',
  126: 'Its program may not be executed: look at `entrypoint`, the arguments and `user`.',
  127: 'Its program was not found in the image: look at `entrypoint` and the arguments.',
};

/** No hint where the config gives these capabilities already. */
function lacks(names: readonly string[], what: string, or = ''): Sign['hint'] {
  return ({ capabilities }) => {
    if (names.every((name) => capabilities.includes(name))) return undefined;
    const [noun, list] = [names.length > 1 ? 'capabilities' : 'capability', names.join('", "')];
    return `${what}, for which it lacks the ${noun} ${names.join(' and ')}, which the gateway drops: set \`capabilities\` to ["${list}"] in its config${or}.`;
  };
}

function readOnly(config: ServerConfig): string {
  return config.readOnly
    ? 'It writes where it may not (`read_only` is set): leave `read_only` out, or name that folder in `volumes`.'
    : 'It writes into a folder that is mounted read-only: look at `read_only` in `volumes`.';
}

function deniedFile({ user, capabilities }: ServerConfig): string | undefined {
  if (user !== undefined) {
    return 'Perhaps its `user` may not use a file or folder that it needs: choose another, or leave `user` out.';
  }
  if (capabilities.includes('DAC_OVERRIDE')) return undefined;
  return 'Perhaps it uses files of another user, for which it lacks the capability DAC_OVERRIDE, which the gateway drops: set `user` to that user, or `capabilities` to ["DAC_OVERRIDE"] in its config.';
}

function otherPort(lines: readonly string[], { port }: ServerConfig): string | undefined {
  if (port === undefined) return undefined;
  const logged = lines.flatMap((line) => listening.exec(line)?.[1] ?? []).at(-1);
  const isOther = logged !== undefined && Number(logged) !== port && Number(logged) <= 65_535;
  return isOther ? `Its log speaks of port ${logged}: set \`port\` to that.` : undefined;
}

/** A port stands after a host, an address, a bracket or a blank, and is no time of day. */
const listening =
  /(?:listen|running|serving|started|available).*?(?:\bport\W{1,3}|(?:[a-z\])*\s]|\.\d+):)(\d{2,5})(?![\d:])/i;
