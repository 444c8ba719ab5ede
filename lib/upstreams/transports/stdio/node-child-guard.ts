import { spawn } from 'node:child_process';
import { ownMark } from './node-marked-processes.ts';

/**
 * Lets our children die with us, however we die: a shell that reads from us until we are gone, and then ends whatever
 * carries our mark. It is in a session of its own, so that what ends our process group leaves it alone. Needs /bin/sh
 * and /proc; elsewhere children see their input close, and whoever ignores that is ended at the next start.
 * docs/decisions/0014 says why not `PR_SET_PDEATHSIG`.
 */
export interface ChildGuard {
  /** It is not needed any more. */
  end(): void;
}

/**
 * Children that see their input close have a second to go. `$0` is the mark. One grep looks at all processes where it
 * splits at zero bytes (GNU); elsewhere each is looked at by itself, which takes milliseconds each.
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
    // Not ours, or it would find itself; and nothing of ours.
    env: { PATH: process.env.PATH },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it children are looked after at the next start.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  return { end: () => void guard.kill('SIGKILL') };
}
