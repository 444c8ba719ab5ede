/** What other pages may point at in a Markdown page, and what it points at itself, as GitHub shows it. */

export interface Link {
  readonly target: string;
  /** From 1. */
  readonly line: number;
}

/** The headings of a page, without their marks. */
export function headingsOf(markdown: string): string[] {
  return [...withoutBlocks(markdown).matchAll(/^ {0,3}#{1,6} +(.*?)(?: +#+)? *$/gm)].map(([, text = '']) =>
    text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''),
  );
}

/** What may stand behind the `#` of a link to this page: a second heading of the same words gets `-1`. */
export function anchorsOf(markdown: string): string[] {
  const counts = new Map<string, number>();
  const anchors = headingsOf(markdown).map((heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  const named = withoutCode(markdown).matchAll(/<[a-z]+\s[^>]*\b(?:id|name)="([^"]+)"/g);
  return [...anchors, ...[...named].map(([, name = '']) => name)];
}

/** Links and pictures in each form: inline, by reference, in angle brackets, as HTML. */
export function linksOf(markdown: string): Link[] {
  const text = withoutCode(markdown);
  const forms = [
    /\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)/g,
    /^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/gm,
    /<(https?:[^>\s]*)>/g,
    /\b(?:href|src)="([^"]*)"/g,
  ];
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ 1: target = '', index }) => ({ target, line: lineAt(text, index) })),
  );
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** Fenced blocks become blank lines, so that lines keep their numbers. */
function withoutBlocks(markdown: string): string {
  return markdown.replace(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2 *$/gm, blank);
}

function withoutCode(markdown: string): string {
  return withoutBlocks(markdown).replace(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, blank);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
