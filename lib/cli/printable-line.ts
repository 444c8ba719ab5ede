import { printable } from '../text/printable.ts';

/** As `printable`, on one line. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim());
}

/** Rows under their heads, each column as wide as its widest cell; the last one is not padded. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, ...rows.map((row) => row.map(printableLine))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === heads.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
