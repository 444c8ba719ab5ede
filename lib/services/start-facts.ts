import type { EnteredHome } from '../home/node-enter-home.ts';
import type { Listeners } from '../server/listeners/node-listeners.ts';
import { engineText, type StartFacts } from '../server/start/start-text.ts';
import { exposureWarnings } from '../settings/exposure.ts';
import type { Settings } from '../settings/settings.ts';
import type { Services } from './node-services.ts';

/** What the service prints or logs when it is ready. */
export async function startFacts(
  services: Services,
  listeners: Listeners,
  settings: Settings,
  home: EnteredHome,
): Promise<Omit<StartFacts, 'version' | 'milliseconds'>> {
  const { database, secrets, catalog, groups } = services;
  const { defaultGroup, dockerHost, roles } = settings;
  const engineProblem = await services.host.containers.problem();
  return {
    managerUrl: roles.has('manager') ? listeners.managerUrl : undefined,
    gatewayUrl: roles.has('gateway') ? listeners.gatewayUrl : undefined,
    defaultGroup,
    database: `${database.kind}, ${database.label}`,
    secrets: `${secrets.method}, ${secrets.label}`,
    engine: roles.has('manager') ? engineText(dockerHost, engineProblem) : 'through the manager',
    servers: catalog.servers().length,
    tools: catalog.tools().length,
    groups: groups.names().length,
    files: home.files(settings),
    command: roles.has('manager') ? home.gatewayCommand() : undefined,
    warnings: exposureWarnings(settings),
  };
}
