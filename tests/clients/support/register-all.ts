import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { RunningService } from '../../support/run-service.ts';
import type { Config } from '../../support/test-servers.ts';

/** Registers servers with the command line; they are listed when it resolves. */
export async function registerAll(service: RunningService, ...configs: readonly Config[]): Promise<void> {
  for (const config of configs) {
    const path = join(service.dir, `register-${config.name}.json`);
    writeFileSync(path, JSON.stringify(config));
    const { code, stderr } = await service.cli(['register', '-c', path]);
    assert.is(code, 0, stderr);
  }
}
