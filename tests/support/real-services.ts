import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClosingStack } from '../../lib/async/closing-stack.ts';
import { silentLog } from '../../lib/log.ts';
import { type Listeners, openListeners } from '../../lib/server/listeners/node-listeners.ts';
import { createServices, type Services } from '../../lib/services/node-services.ts';
import { readSettings } from '../../lib/settings/settings.ts';

export interface RealServices {
  readonly services: Services;
  readonly listeners: Listeners;
  /** What the factories have added to the closing stack, in their order. */
  readonly added: readonly string[];
  /** Resolves with the steps that failed. */
  close(): Promise<readonly string[]>;
}

/** All services as `server.ts` creates them, over an embedded database, before anything is loaded. */
export async function createRealServices(): Promise<RealServices> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-services-'));
  const problems: string[] = [];
  const added: string[] = [];
  const stack = createClosingStack((name, problem) => void problems.push(`${name}: ${problem}`));
  const settings = readSettings({
    ...{ DATA_DIR: dir, GROUPS_DIR: join(dir, 'groups'), CONFIGS_DIR: join(dir, 'configs') },
    ...{ MANAGER_PORT: '0', GATEWAY_PORT: '0' },
  });
  const listeners = await openListeners(settings);
  const services = await createServices(settings, {
    closing: {
      ...stack,
      add(name, close, options) {
        added.push(name);
        stack.add(name, close, options);
      },
    },
    listeners,
    version: '0',
    gatewayCommand: () => 'svc-mcp',
    log: silentLog,
  });
  return {
    services,
    listeners,
    added,
    async close() {
      await listeners.close();
      await stack.closeAll();
      rmSync(dir, { recursive: true, force: true });
      return problems;
    },
  };
}
