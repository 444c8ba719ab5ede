/** The suite's server, behind the gateway twice: as a process of ours, and at an address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from '../support/free-port.ts';
import { toolsOf } from '../support/manager-api.ts';
import type { RunningService } from '../support/run-service.ts';
import { plainEnvironment, projectDir } from '../support/service-command.ts';
import { type Config, configFiles, stdioConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const toolCount = 28;
export const promptCount = 5;

export interface Fixture {
  /** `stdio` and `http`, each in a group of the same name; for `runService`. */
  readonly files: { readonly configs: Record<string, Config>; readonly groups: Record<string, unknown> };
  stop(): void;
}

/** Starts the one at an address; the gateway starts the other. */
export async function startFixture(path: string): Promise<Fixture> {
  const port = await freePort();
  const args = [path, '--era', 'legacy', '--http', String(port)];
  const child = spawn(process.execPath, args, { env: plainEnvironment(), cwd: projectDir, stdio: 'ignore' });
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  await waitUntil('the fixture listens', () => listens(port, child));
  const http = { name: 'http', transport: 'streamable_http', url: `http://127.0.0.1:${port}/mcp` };
  return {
    files: {
      configs: configFiles(stdioConfig('stdio', [path, '--era', 'legacy']), http),
      groups: { stdio: groupOf('stdio'), http: groupOf('http') },
    },
    stop,
  };
}

/** Resolves with the full names of all its tools, once they are listed. */
export function fixtureTools(service: RunningService, server: string): Promise<string[]> {
  return waitUntil(
    `all tools of ${server} are listed`,
    async () => {
      const tools = await toolsOf(service, server);
      return tools.length === toolCount ? tools : undefined;
    },
    { limitMs: 20_000 },
  );
}

function groupOf(server: string) {
  return { name: server, description: '', included_tools: [], included_servers: [server] };
}

async function listens(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error('The fixture ended at its start.');
  return (await fetch(`http://127.0.0.1:${port}/mcp`)).status > 0;
}
