import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { projectDir } from '../support/service-command.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Expectation } from './expectation.ts';
import type { FreshClone } from './fresh-clone.ts';
import type { CommandOutcome, RunningCommand } from './shell-session.ts';
import type { Command } from './split-commands.ts';

/** Runs a command as it stands in its document, but for the ports, and holds it to what is expected of it. */
export async function runDocumented(
  clone: FreshClone,
  { text, prints }: Pick<Command, 'text' | 'prints'>,
  expected: Expectation,
): Promise<void> {
  const { elsewhere, skipped, before, after, isService, streams, goesOnAfter, limitMs } = expected;
  if (elsewhere) return assertRunElsewhere(elsewhere);
  await before?.(clone);
  if (skipped) return;
  const command = clone.withPorts(text);
  if (isService) await clone.startService(command);
  else if (streams ?? goesOnAfter) {
    const running = await seeStream(clone, command, streams ?? goesOnAfter ?? /^/);
    if (streams) await running.interrupt();
  } else judge(await clone.run(command, { input: expected.input, limitMs }), { ...expected, prints });
  await after?.(clone);
}

function assertRunElsewhere({ file, holds }: { file: string; holds: string }): void {
  const text = readFileSync(join(projectDir, file), 'utf8');
  assert.ok(text.includes(holds), `${file} is said to run it, and does not hold ${holds}`);
}

async function seeStream(clone: FreshClone, command: string, wanted: RegExp): Promise<RunningCommand> {
  const running = await clone.start(command);
  const isSeen = () => wanted.test(running.output());
  await waitUntil(`it has written ${wanted}`, isSeen, { limitMs: 60_000 }).catch((error) => {
    throw new Error(`${error.message}\n${running.output()}`);
  });
  return running;
}

function judge(
  { code, stdout, stderr }: CommandOutcome,
  { exit = 0, stdout: out, stderr: err, prints }: Expectation & { readonly prints: readonly string[] },
): void {
  const all = `\n--- exit code ${code}, stdout\n${stdout}\n--- stderr\n${stderr}`;
  assert.is(code, exit, `exit code${all}`);
  if (exit === 0) assert.is(failureIn(stdout), undefined, `an answer tells of a failure${all}`);
  for (const text of prints) assert.ok(stdout.includes(text), `prints ${text}${all}`);
  if (out) assert.ok(out.test(stdout), `stdout is like ${out}${all}`);
  if (err) assert.ok(err.test(stderr), `stderr is like ${err}${all}`);
}

/** `curl -s` is content with any answer. */
export function failureIn(stdout: string): string | undefined {
  const signs = [/"success":\s*false/, /^\s*\{[^\n]*"jsonrpc":\s*"2\.0"[^\n]*"error":/m, /"isError":\s*true/];
  return signs.find((sign) => sign.test(stdout))?.source;
}
