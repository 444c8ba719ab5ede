/** Runs a case of the command line, or starts the service with odd settings (`args: ["serve"]`). */
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import type { CommandResult } from '../support/run-command.ts';
import { createServiceChild, type ServiceChild } from '../support/service-child.ts';
import { plainEnvironment } from '../support/service-command.ts';
import { type BadInput, fill, type Placeholders, textBytes } from './case.ts';
import { combine, judgeCommand, judgeThat, type Verdict } from './verdict.ts';
import type { World } from './world.ts';

const timeoutMs = 8_000;

export async function runCommandCase(world: World, input: BadInput): Promise<Verdict> {
  const dir = mkdtempSync(join(world.service.dir, 'cli-'));
  const placeholders = { ...(await world.placeholders(JSON.stringify(input))), dir };
  for (const [path, text] of Object.entries(input.files ?? {})) {
    const file = fill(path, placeholders);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, textBytes(text, placeholders));
  }
  const args = (input.args ?? []).map((arg) => fill(arg, placeholders));
  const result = args[0] === 'serve' ? await serve(input, dir, placeholders) : await world.service.cli(args);
  const made = (input.expect.mustNotExist ?? []).filter((path) => existsSync(fill(path, placeholders)));
  return combine([
    judgeCommand(input.expect, result),
    judgeThat(made.length === 0, `${made.join(', ')} was made`),
  ]);
}

/** A service that stays up counts as exit code 0: that is what its end by SIGTERM must be as well. */
async function serve(
  { env = {} }: BadInput,
  dir: string,
  placeholders: Placeholders,
): Promise<CommandResult> {
  const managerPort = String(await freePort());
  const settings: NodeJS.ProcessEnv = {
    ...plainEnvironment(),
    MANAGER_PORT: managerPort,
    GATEWAY_PORT: String(await freePort()),
    DATA_DIR: join(dir, 'data'),
    GROUPS_DIR: join(dir, 'groups'),
    CONFIGS_DIR: join(dir, 'configs'),
  };
  for (const [name, value] of Object.entries(env)) {
    if (value === null) delete settings[name];
    else settings[name] = fill(value, placeholders);
  }
  const startedAt = performance.now();
  const child = createServiceChild(settings);
  child.start();
  const code = await endOrStay(child, `http://127.0.0.1:${managerPort}`);
  const milliseconds = performance.now() - startedAt;
  return { code, stdout: child.output(), stderr: '', milliseconds };
}

/** Staying up means: ready, or alive for so long that it plainly waits for something, as for its database. */
async function endOrStay(child: ServiceChild, managerUrl: string): Promise<number | null> {
  const deadline = performance.now() + 30_000;
  let aliveSince: number | undefined;
  while (child.isRunning() && performance.now() < deadline && !(await isOk(`${managerUrl}/readyz`))) {
    if (await isOk(`${managerUrl}/healthz`)) aliveSince ??= performance.now();
    if (aliveSince !== undefined && performance.now() - aliveSince > timeoutMs) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return child.end('SIGTERM');
}

function isOk(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
