/** A client of others on a plan: what it is to do, and what came of each step. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SdkClient } from '../../scripts/clients/sdk-clients.ts';
import { runCommand } from '../support/run-command.ts';
import { plainEnvironment, projectDir } from '../support/service-command.ts';

/** `do` names what every driver can, or says that its client cannot; see `drivers/run-plan.mjs`. */
export interface Step {
  readonly do: string;
  readonly name?: string;
  readonly uri?: string;
  readonly arguments?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export type StepResult = { readonly ok?: any; readonly error?: string };

export interface Target {
  readonly url: string;
  /** Of the gateway. */
  readonly token?: string;
}

const limitMs = 240_000;
const mcpRemoteFolder = join(tmpdir(), `svc-mcp-remote-${process.pid}`);

/** @returns a result for each step, in their order. */
export async function runClient(
  client: SdkClient,
  { url, token }: Target,
  steps: readonly Step[],
): Promise<readonly StepResult[]> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const plan = {
    url,
    headers,
    steps,
    ...(client.bridge ? { command: bridged(client.bridge, url, headers) } : {}),
  };
  const [program = '', ...args] = [...client.command, JSON.stringify(plan)];
  const env = {
    ...plainEnvironment(),
    // It keeps what it knows of servers there, and would look for it at its next start.
    MCP_REMOTE_CONFIG_DIR: mcpRemoteFolder,
  };
  const { stdout, stderr } = await runCommand(program, args, { cwd: projectDir, env, limitMs });
  rmSync(mcpRemoteFolder, { recursive: true, force: true });
  const answer = stdout.trim().split('\n').at(-1) ?? '';
  if (!answer.startsWith('{"results"')) throw new Error(`It gave no results. It wrote:\n${stdout}${stderr}`);
  const { results } = JSON.parse(answer) as { results: StepResult[] };
  return results;
}

function bridged(
  bridge: readonly string[],
  url: string,
  headers: Readonly<Record<string, string>>,
): string[] {
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  return [...bridge, url, '--allow-http', '--transport', 'http-only', ...given];
}

/** What a step gave. @throws when it failed. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export function given(result: StepResult | undefined): any {
  if (result === undefined || result.error !== undefined) throw new Error(result?.error ?? 'no result');
  return result.ok;
}
