/**
 * Why an engine will not create or start a container, told from its words, which are for the log: they repeat paths and
 * arguments. The first that fits counts.
 */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /executable file not found|no such file or directory.*unknown$|exec: .*no such file/i,
    'its program is not in the image; look at `entrypoint` and the arguments',
  ],
  [/exec: .*permission denied/i, 'its program may not be executed; look at `entrypoint` and `user`'],
  [/exec format error/i, 'its image is made for another kind of processor'],
  [
    /unable to find user|no matching entries in passwd|unable to find group/i,
    'its image does not know the `user`',
  ],
  [/minimum memory limit/i, '`limits.memory_mb` is less than the engine gives a container'],
  [/range of CPUs/i, '`limits.cpus` is more than the host has'],
  [
    /bind source path does not exist|bind mount source/i,
    'a `source` of its `volumes` is no folder of the host that the engine runs on',
  ],
  [
    /not a directory.*mount|mount.*not a directory|invalid mount|invalid volume/i,
    'one of its `volumes` cannot be mounted',
  ],
  [/no command specified/i, 'its image says no command; give one'],
  [/address already in use|port is already allocated/i, 'a port that it needs is taken on the host'],
  [/no space left/i, 'the disk of the engine is full'],
  [/capabilit/i, 'the engine does not know one of its `capabilities`'],
];

/** Continues "it cannot be started: …". */
export function refusalReason(text: string): string {
  return reasons.find(([sign]) => sign.test(text))?.[1] ?? 'the engine refuses it, and the log says why';
}
