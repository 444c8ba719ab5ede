/** Puts something into the groups folder, gives it a second to take effect, and judges the request after it. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BadInput, fill, type Placeholders, textBytes } from './case.ts';
import { judgeAfterwards, sendCase } from './run-request-case.ts';
import { combine, judgeAnswer, type Verdict } from './verdict.ts';
import type { World } from './world.ts';

const takesEffectMs = 1_000;

export async function runFileCase(world: World, input: BadInput): Promise<Verdict> {
  if (!input.then) throw new Error(`${input.id}: a file case needs a request to judge`);
  const placeholders = await world.placeholders(JSON.stringify(input));
  const path = join(world.service.dir, fill(input.path, placeholders));
  changeFile(input, path, placeholders);
  await pause(takesEffectMs);
  const answer = await sendCase(world, input.then, placeholders);
  const afterwards = await judgeAfterwards(world, input);
  if (existsSync(path) && path !== world.groupFile) {
    rmSync(path, { recursive: true });
    await pause(takesEffectMs);
  }
  if (input.method === 'CHMOD') chmodSync(path, 0o644);
  await world.restoreGroup();
  return combine([judgeAnswer(input.expect, answer, world.machinePaths), afterwards]);
}

function changeFile({ method, body = '' }: BadInput, path: string, placeholders: Placeholders): void {
  const content = textBytes(body, placeholders);
  if (method === 'WRITE') writeFileSync(path, content);
  else if (method === 'SYMLINK') symlinkSync(content.toString(), path);
  else if (method === 'MKDIR') mkdirSync(path);
  else if (method === 'MKFIFO') execFileSync('mkfifo', [path]);
  else if (method === 'CHMOD') chmodSync(path, Number.parseInt(content.toString(), 8));
  else if (method === 'UNLINK') unlinkSync(path);
  else throw new Error(`unknown change ${method}`);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
