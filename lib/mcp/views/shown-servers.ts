import type { GroupView } from './group-views.ts';

/** The servers behind what a group shows. */
export function shownServers(view: GroupView): ReadonlySet<string> {
  const servers = new Set(view.features.servers);
  for (const name of view.names) {
    const tool = view.find(name);
    if (tool !== undefined) servers.add(tool.server);
  }
  return servers;
}
