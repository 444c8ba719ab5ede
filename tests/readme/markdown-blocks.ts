/** Fenced blocks of a document, in order. */
export interface Block {
  /** As the fence says it: `sh`, `json`, …; empty where it says nothing. */
  readonly language: string;
  readonly text: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  /** The heading that it stands under. */
  readonly heading: string;
}

export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: { indent: string; language: string; line: number; lines: string[] } | undefined;
  for (const [at, line] of markdown.split('\n').entries()) {
    const fence = /^( *)```(\S*)\s*$/.exec(line);
    if (open === undefined) {
      heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
      if (fence) open = { indent: fence[1] ?? '', language: fence[2] ?? '', line: at + 1, lines: [] };
    } else if (fence && fence[2] === '') {
      const { indent, language, line: start, lines } = open;
      const text = lines.map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one)).join('\n');
      blocks.push({ language, text, line: start, heading });
      open = undefined;
    } else open.lines.push(line);
  }
  if (open) throw new Error(`The block of line ${open.line} is not closed.`);
  return blocks;
}

/** Code in the last column of tables whose last head is `do this`: commands as much as those in blocks. */
export function commandsInTables(
  markdown: string,
): readonly { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string }[] = [];
  let isCommands = false;
  for (const [at, line] of markdown.split('\n').entries()) {
    if (!line.startsWith('|')) isCommands = false;
    else if (/\| *do this *\|\s*$/.test(line)) isCommands = true;
    else if (isCommands) {
      const cell =
        line
          .replace(/\|\s*$/, '')
          .split(/(?<!\\)\|/)
          .at(-1) ?? '';
      for (const [, text = ''] of cell.matchAll(/`([^`]+)`/g))
        if (programs.test(text)) found.push({ line: at + 1, text: text.replaceAll('\\|', '|') });
    }
  }
  return found;
}

const programs =
  /^([A-Z_]+=\S+ )*(npx|npm|node|curl|make|docker|systemctl|journalctl|ss|rm|cp|mv|tar|pg_dump) /;
