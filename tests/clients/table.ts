/** The table of `docs/clients.md`: features by client, `yes`, or `no` with the number of the sentence that says why. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../support/service-command.ts';

export interface ClientsTable {
  readonly features: readonly string[];
  /** By the client's name, by feature. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By their numbers. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly text: string;
}

export function readClientsTable(): ClientsTable {
  const text = readFileSync(join(projectDir, 'docs/clients.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  const [head = [], ...clients] = rows.map(cellsOf);
  const features = head.slice(2);
  const cells = clients.map(([name = '', , ...values]) => {
    return [
      name.replaceAll('`', ''),
      new Map(features.map((feature, at) => [feature, values[at] ?? ''])),
    ] as const;
  });
  const reasons = [...text.matchAll(/^(\d+)\. (.+)$/gm)].map(
    ([, number = '', reason = '']) => [number, reason] as const,
  );
  return { features, cells: new Map(cells), reasons: new Map(reasons), text };
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
