/** The rows of the first table under a heading, without its head, each as its cells. */
export function tableUnder(markdown: string, heading: string): string[][] {
  const [, section = ''] = markdown.split(new RegExp(`^#+ ${heading}$`, 'm'));
  const [, table = ''] = /((?:^\|.*\n)+)/m.exec(section.split(/^##+ /m)[0] ?? '') ?? [];
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) => row.slice(2, -2).split(/(?<!\\) \| /));
}

const units: Readonly<Record<string, number>> = { min: 60, h: 3_600, KiB: 1_024, MiB: 1_048_576 };

/** The numbers of a cell, such as `10 MiB`, `2.5 s` and `24 h`, in bytes and seconds. */
export function quantitiesIn(cell: string): number[] {
  return [...cell.matchAll(/\b(\d[\d,]*(?:\.\d+)?)(?: (min|h|KiB|MiB)\b)?/g)].map(
    ([, digits = '', unit = '']) => Number(digits.replaceAll(',', '')) * (units[unit] ?? 1),
  );
}
