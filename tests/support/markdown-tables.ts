/** The rows of each table of a document, without their heads, as cells. */
export function tablesOf(document: string): readonly (readonly (readonly string[])[])[] {
  const blocks = document
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line[0] === '|'));
  return blocks
    .filter((lines) => lines.length > 2)
    .map((lines) => lines.slice(2).map((line) => line.slice(2, -2).split(/ \| /)));
}

/** The rows of the first table below a heading. */
export function tableBelow(document: string, heading: string): readonly (readonly string[])[] {
  const [, below] = `\n${document}`.split(`\n${heading}\n`);
  if (below === undefined) throw new Error(`There is no heading "${heading}".`);
  const [table = []] = tablesOf(below);
  return table;
}
