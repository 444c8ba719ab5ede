import { commandTable } from './command-table.ts';
import { endpointSections } from './endpoint-sections.ts';
import { publishedDocument } from './published-document.ts';
import { errorCodeTable, recordSections, settingTable } from './tables.ts';

const parts: Readonly<Record<string, () => string>> = {
  tools: () => endpointSections(publishedDocument, 'tools'),
  groups: () => endpointSections(publishedDocument, 'groups'),
  servers: () => endpointSections(publishedDocument, 'servers'),
  service: () => endpointSections(publishedDocument, 'service'),
  gateway: () => endpointSections(publishedDocument, 'gateway'),
  records: () => recordSections(publishedDocument),
  'error codes': errorCodeTable,
  commands: commandTable,
  settings: settingTable,
};

/** @throws Error for a part that nobody makes. */
export function withMadeParts(page: string): string {
  return page.replace(/<!-- made: (.+?) -->[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const make = parts[name];
    if (make === undefined) throw new Error(`Nothing makes the part "${name}" of docs/api.md.`);
    return `<!-- made: ${name} -->\n\n${make()}\n\n<!-- end -->`;
  });
}
