/** An installed service for the time of a test, and the command that it prints for terminals, pasted into one. */
import * as assert from 'uvu/assert';
import type { InstalledCopy, ProgramOptions } from './installed-copy.ts';
import { manage } from './manager-api.ts';
import type { CommandResult } from './run-command.ts';
import type { StartedProgram } from './started-program.ts';

export async function withService(
  copy: InstalledCopy,
  options: ProgramOptions,
  use: (service: StartedProgram) => Promise<void>,
): Promise<void> {
  const service = await copy.start(options);
  try {
    await use(service);
  } finally {
    assert.is(await service.stop(), 0, service.output());
  }
}

/** `list groups` with what people would paste into a terminal that stands in `cwd`. */
export async function pasted(
  copy: InstalledCopy,
  service: StartedProgram,
  cwd: string,
  env = {},
): Promise<CommandResult> {
  const { gateway_command: command } = await manage(service, 'GET', '/api/status');
  assert.is(service.ready.command, command);
  return await copy.shell(`${command} list groups`, { cwd, env });
}

export function assertAnswered({ code, stdout, stderr }: CommandResult, group = 'svc-global'): void {
  assert.is(code, 0, stderr);
  assert.match(stdout, new RegExp(`^${group} +default`, 'm'));
}
