/** The table of `docs/clients.md`: features by client, `yes`, or `no` with the number of the sentence that says why. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../support/service-command.ts';

export interface ClientsTable {
  readonly features: readonly string[];
  /** Package and version by the client's name. */
  readonly packages: ReadonlyMap<string, string>;
  /** By the client's name, by feature. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By their numbers. */
  readonly reasons: ReadonlyMap<string, string>;
}

export function readClientsTable(): ClientsTable {
  const text = readFileSync(join(projectDir, 'docs/clients.md'), 'utf8');
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('| client |'));
  const rows = lines.slice(first, lines.indexOf('', first)).filter((line) => line.startsWith('| '));
  const [head = [], ...clients] = rows.map(cellsOf);
  const features = head.slice(2);
  const nameOf = ([name = '']: readonly string[]) => name.replaceAll('`', '');
  const cells = clients.map((row) => {
    return [nameOf(row), new Map(features.map((feature, at) => [feature, row[at + 2] ?? '']))] as const;
  });
  const reasons = [...text.matchAll(/^(\d+)\. (.+)$/gm)].map(
    ([, number = '', reason = '']) => [number, reason] as const,
  );
  return {
    features,
    packages: new Map(clients.map((row) => [nameOf(row), row[1] ?? ''])),
    cells: new Map(cells),
    reasons: new Map(reasons),
  };
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
