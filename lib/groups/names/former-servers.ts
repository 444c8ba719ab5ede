/**
 * Which server a bare URI in a group's file was read from when all servers were searched for it, though the group names
 * that server nowhere. Written down once, when this version first starts on a database, so that an upgrade takes no
 * resource away; entries that come later name their server (docs/decisions/0015).
 */
export interface FormerServers {
  serverOf(group: string, entry: string): string | undefined;
}
