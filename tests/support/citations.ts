/** Where sources and pages name a document: pure functions on one text, each with the line of what it found. */
import { lineAt } from './markdown.ts';

export interface Found {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** `docs/api.md`, `../SECURITY.md`, `containers.md`; not the end of an address such as `https://a.example/x.md`. */
export function namedPages(text: string): Found[] {
  return all(text, /(?<![\w./:-])((?:\.{1,2}\/)*(?:[\w-]+\/)*[\w-]+\.md)\b/gi);
}

/** Numbers of decisions: `docs/decisions/0004`, `docs/decisions/0001, 0004`, `decision 0016`. */
export function namedDecisions(text: string): Found[] {
  return numbers(text, /\bdecisions?[ /](\d{4}(?:(?:, | and )\d{4})*)/g);
}

/** Decisions name each other by the bare number, `(0004)`; migrations have numbers too. */
export function namedDecisionsOfDecision(text: string): Found[] {
  return numbers(text, /(?<!migrations?[ /])(?<![\w./-])(00\d\d)\b/g);
}

/** Files in back-quotes, and others by a path that begins with one of these folders. */
export function namedFiles(text: string, folders: readonly string[]): Found[] {
  const kinds = '\\.(?:ts|js|mjs|cjs|json|sh|sql|py)';
  const quoted = new RegExp(`\`((?:[\\w.-]+/)*[\\w-][\\w.-]*${kinds})\``, 'g');
  const path = new RegExp(
    `(?<![\\w./:\`{}<>-])((?:${folders.join('|')})/(?:[\\w.-]+/)*[\\w.-]+${kinds})\\b(?![\\w/])`,
    'g',
  );
  return [...all(text, quoted), ...all(text, path)];
}

export interface HeadingCitation extends Found {
  readonly page: string;
}

/**
 * `docs/api.md, Error codes`: `text` is what follows the comma, which begins with the heading if there is one of that name;
 * a list of pages is none.
 */
export function citedHeadings(text: string): HeadingCitation[] {
  const flat = flatten(text);
  return [...flat.matchAll(/(?<![\w./:-])((?:[\w-]+\/)*[\w-]+\.md)`?, +["“*]?(?=([A-Z].{0,100}))/g)]
    .map(({ 1: page = '', 2: after = '', index }) => ({
      page,
      text: oneBlank(after),
      line: lineAt(text, index),
    }))
    .filter((cited) => !/^[\w-]+\.md\b/.test(cited.text));
}

/** Whether the text behind a comma begins with this heading, as a whole word. */
export function begins(text: string, heading: string): boolean {
  return text.startsWith(heading) && !/^[\w-]/.test(text.slice(heading.length));
}

/** `section 3` of nothing that is named in the same sentence: a public document is, by its name. */
export function sectionsOfNothing(text: string): Found[] {
  const flat = flatten(text);
  return [...flat.matchAll(/\bsections? +\d[\d.]*/gi)]
    .filter(
      ({ index }) =>
        !/\b(RFC \d+|JSON-RPC 2\.0|Discovery)[^.)]*$/.test(flat.slice(Math.max(0, index - 60), index)),
    )
    .map(({ 0: found, index }) => ({ text: oneBlank(found), line: lineAt(text, index) }));
}

/** `'S4: …'`: the mark of a list that lies elsewhere, before what a test or a comment says. */
export function marksOfLists(text: string): Found[] {
  return all(text, /(?:['"`]|\/\*\* |\/\/ )([A-Z]{1,2}\d{1,2}): [A-Za-z`]/g);
}

/** Words that are in no text but by mistake, also across two lines of a comment. */
export function occurrences(text: string, words: RegExp): Found[] {
  return [...flatten(text).matchAll(words)].map(({ 0: found, index }) => ({
    text: oneBlank(found),
    line: lineAt(text, index),
  }));
}

/** The comments of a source, everything else blank; of pages and of what is not TypeScript or JavaScript the whole text. */
export function commentsOf(path: string, text: string): string {
  if (!/\.(ts|js|mjs|cjs)$/.test(path)) return text;
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  let result = '';
  let end = 0;
  for (const { 0: comment, index } of text.matchAll(/\/\*\*?\s[\s\S]*?\*\/|(?<=^|\s)\/\/ [^\n]*/gm)) {
    result += blank(text.slice(end, index)) + comment;
    end = index + comment.length;
  }
  return result + blank(text.slice(end));
}

/** The ends of lines and the marks of comments become blanks, one for one: a sentence may go on in the next line. */
function flatten(text: string): string {
  return text.replace(/ *\n *(?:\*(?!\/)|\/\/|#)? */g, (gap) => ' '.repeat(gap.length));
}

function oneBlank(text: string): string {
  return text.replace(/ +/g, ' ').trimEnd();
}

function all(text: string, form: RegExp): Found[] {
  return [...text.matchAll(form)].map(({ 0: whole, 1: found, index }) => ({
    text: found ?? whole,
    line: lineAt(text, index),
  }));
}

function numbers(text: string, form: RegExp): Found[] {
  return all(text, form).flatMap(({ text: list, line }) =>
    (list.match(/\d{4}/g) ?? []).map((number) => ({ text: number, line })),
  );
}
