import { createLocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import { createMemoryCatalog, type MemoryCatalog } from '../../support/memory-catalog.ts';

/** A catalog of servers and their tools' own names. */
export function knownTools(
  servers: Readonly<Record<string, readonly string[]>>,
  bus = createLocalBus({ log: silentLog }),
): MemoryCatalog {
  const catalog = createMemoryCatalog(bus);
  for (const [server, tools] of Object.entries(servers)) catalog.setTools(server, tools);
  return catalog;
}
