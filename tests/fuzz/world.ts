/**
 * The service that is fuzzed, made so that nothing a fuzzer thinks of does harm:
 * - no admin token and TCP only: a `command` is refused, and so are mounts and references to secrets of others;
 * - `ALLOWED_UPSTREAMS` is the one port of a server of this process. The text of an address is compared with it before
 *   anything is dialled, so that no name is resolved either (lib/config/allowed-upstreams.ts, lib/services/node-openers.ts);
 * - `ALLOWED_IMAGES` fits no image, and the engine's socket does not exist;
 * - the filesystem server, whose tools write, sees a copy of `docs/` in the scratch folder and no group has its tools, for
 *   an agent could say that other folders are its roots; of the everything server, the one tool that fetches what it is told
 *   to may fetch from no host.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNotesServer } from '../support/notes-server.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { projectDir } from '../support/service-command.ts';
import { everythingConfig, filesystemPath, stdioConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

export interface World {
  readonly service: RunningService;
  /** Address of the only MCP server that can be registered. */
  readonly upstreamUrl: string;
  remove(): Promise<void>;
}

/** No URL has a host of this name. */
const noHost = '<';
const servers = 2;

export async function createWorld(): Promise<World> {
  const scratch = mkdtempSync(join(tmpdir(), 'svc-fuzz-'));
  const docs = join(scratch, 'docs');
  cpSync(join(projectDir, 'docs'), docs, { recursive: true });
  const upstream = await startNotesServer('first');
  const service = await runService({
    database: 'embedded',
    groups: Object.fromEntries(['svc-global', 'research'].map((name) => [name, groupOf(name)])),
    configs: {
      everything: everythingConfig('everything', { cwd: projectDir, env: { GZIP_ALLOWED_DOMAINS: noHost } }),
      filesystem: stdioConfig('filesystem', [filesystemPath, docs], { cwd: projectDir }),
    },
    env: {
      // No `.env` and no credentials of whoever runs this.
      GATEWAY_HOME: scratch,
      HOME: scratch,
      ALLOWED_UPSTREAMS: upstream.address,
      ALLOWED_IMAGES: 'nothing.invalid/nothing',
      DOCKER_HOST: `unix://${join(scratch, 'no-engine.sock')}`,
      UPDATE_CHECK_HOURS: '0',
    },
  });
  await waitUntil('the tools are listed', () => haveTools(service), { limitMs: 30_000 });
  return {
    service,
    upstreamUrl: `http://${upstream.address}/mcp`,
    async remove() {
      await service.remove();
      await upstream.close();
      rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function groupOf(name: string) {
  return {
    name,
    description: '',
    included_tools: ['everything__echo', 'everything__get-sum', 'everything__get-structured-content'],
  };
}

async function haveTools({ gatewayUrl }: RunningService): Promise<boolean> {
  const tools = (await (await fetch(`${gatewayUrl}/api/v0/tools`)).json()) as { server: string }[];
  return new Set(tools.map(({ server }) => server)).size === servers;
}
