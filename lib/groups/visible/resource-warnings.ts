import type { Group } from '../groups.ts';
import { type EntryScope, featuresOfEntry, listersOf, ofServer } from './visible-features.ts';

/**
 * Warnings about a group's `included_resources`, a sentence each: for an entry that two of its servers list, and for one
 * that only servers outside of the group list. Bounded, since servers may list anything.
 */
const mostWarnings = 20;
const mostServers = 3;
const longestEntry = 200;

export function resourceWarnings(group: Group, scope: EntryScope): readonly string[] {
  const entries = [...new Set(group.includedResources)];
  return entries.flatMap((entry) => warningsOf(entry, scope)).slice(0, mostWarnings);
}

function warningsOf(entry: string, scope: EntryScope): readonly string[] {
  const found = (['resources', 'templates'] as const).map((kind) => featuresOfEntry(entry, kind, scope));
  const shared = found.find((features) => features.length > 1);
  const [first, second] = shared?.map(({ server }) => server) ?? [];
  if (shared && first && second) {
    const servers = named(shared.map(({ server }) => server));
    const other = quoted(ofServer(second, entry));
    return [
      `${quoted(entry)} in \`included_resources\` is listed by ${servers} of this group: \`${first}\` is used. Write ${other} for the other.`,
    ];
  }
  const [outside, ...others] = found.flat().length === 0 ? listersOf(entry, scope) : [];
  if (outside === undefined) return [];
  return [
    `${quoted(entry)} in \`included_resources\` is listed by no server of this group, only by ${named([outside, ...others])}: nothing is shown. Write ${quoted(ofServer(outside, entry))} if that one is meant.`,
  ];
}

function named(servers: readonly string[]): string {
  const rest = servers.length - mostServers;
  const names = servers.slice(0, mostServers).map((server) => `\`${server}\``);
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function quoted(entry: string): string {
  return `\`${entry.length > longestEntry ? `${entry.slice(0, longestEntry)}…` : entry}\``;
}
