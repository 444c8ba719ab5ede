/**
 * Restarts a service under an agent that waits for a call of 25 s, and tells what became of the call and whether the agent
 * hears of a changed group afterwards:
 *
 *     node --import tsx bench/restart/run.ts [--down MS] [--kill] <command of a client, the address is added>
 *
 * `--down`: how long after its end the next process is started. `--kill`: SIGKILL instead of SIGTERM.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readServer, switchTool } from '../../tests/support/manager-api.ts';
import { runService } from '../../tests/support/run-service.ts';
import { configFiles, faultConfig } from '../../tests/support/test-servers.ts';
import { waitUntil } from '../../tests/support/wait-until.ts';

const group = 'svc-global';
const words = process.argv.slice(2);
const isKilled = words.includes('--kill');
const downMs = words.includes('--down') ? Number(words[words.indexOf('--down') + 1]) : 0;
const command = words.filter((word, at) => !/^--(kill|down)$/.test(word) && words[at - 1] !== '--down');
const listenMs = 20_000;

const service = await runService({
  configs: configFiles(faultConfig('fault')),
  groups: { [group]: { name: group, included_tools: [], included_servers: ['fault'] } },
});
await waitUntil('the server is listed', async () => (await readServer(service, 'fault')).tool_count > 0);
const startedAt = performance.now();
const lines: string[] = [];
const [program = 'node', ...args] = command;
const client = spawn(
  program,
  args.map((word) => word.replace('URL', service.groupUrl())),
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
createInterface(client.stdout).on('line', (line) => {
  lines.push(line);
  if (!line.startsWith('{"tools"')) note(line);
});

function note(text: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${text}`);
}

const hasSaid = (pattern: RegExp) => lines.some((line) => pattern.test(line));
await waitUntil('it calls', () => hasSaid(/calling/), { limitMs: 20_000 });
await new Promise((resolve) => setTimeout(resolve, 2_000));
note(isKilled ? 'SIGKILL' : 'SIGTERM');
const ending = isKilled ? service.kill9().then(() => null) : service.stop();
note(`ended with ${await ending}`);
await new Promise((resolve) => setTimeout(resolve, downMs));
note('started again');
await service.restart();
note('ready');
await waitUntil('the call is over', () => hasSaid(/answer|error/), { limitMs: 60_000 }).catch((error) =>
  note(`NO ANSWER: ${error.message}`),
);
lines.length = 0;
note('a tool is switched off');
await switchTool(service, group, 'fault__echo', false);
await waitUntil('it hears', () => hasSaid(/list_changed/i), { limitMs: listenMs }).catch((error) =>
  note(`NOT HEARD: ${error.message}`),
);
client.kill('SIGKILL');
await service.remove();
