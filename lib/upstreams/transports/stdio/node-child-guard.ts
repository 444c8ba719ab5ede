import { spawn } from 'node:child_process';
import { ownMark } from './node-marked-processes.ts';

/**
 * Ends the child processes when this service dies, however it dies: a shell reads from the service until that is gone, and
 * then ends all processes that have its mark. The shell has a session of its own, so that a signal to the service's process
 * group does not end it. Needs /bin/sh and /proc; elsewhere children see their input close, and those that ignore that are
 * ended at the next start. docs/decisions/0014 says why not `PR_SET_PDEATHSIG`.
 */
export interface ChildGuard {
  /** Ends the guard, not the children. */
  end(): void;
}

/**
 * Children that see their input close have a second to end. `$0` is the mark. A grep that splits at zero bytes (GNU)
 * searches all processes at once; otherwise each is searched by itself, which takes milliseconds each.
 */
const script = `
read -r line
sleep 1
if printf 'a\\0b' | grep -qzxF b 2>/dev/null; then
  marked() { grep -lszxF -e "$0" /proc/[0-9]*/environ; }
else
  marked() {
    for file in /proc/[0-9]*/environ; do
      [ -r "$file" ] && tr '\\0' '\\n' 2>/dev/null <"$file" | grep -qxF -e "$0" && echo "$file"
    done
  }
fi
for signal in TERM KILL; do
  for file in $(marked); do
    pid=\${file#/proc/}
    kill -s "$signal" "\${pid%/environ}" 2>/dev/null
  done
  sleep 1
done
`;

export function startChildGuard(): ChildGuard {
  const guard = spawn('/bin/sh', ['-c', script, ownMark()], {
    // Without the mark, or the guard would find itself, and without the service's secrets.
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a guard, children that remain are ended at the next start.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  return { end: () => void guard.kill('SIGKILL') };
}
