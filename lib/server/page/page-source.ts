/**
 * A script or style sheet of the page without the comments that fill whole lines, which are a quarter of our sources. Line
 * numbers stay the same, so that those in a browser's messages are true of the file. There is no parser: a template
 * literal must not have a line that looks like a comment; a test checks that.
 */
export function withoutComments(source: string): string {
  return source.replace(wholeLines, (comment) => '\n'.repeat(comment.split('\n').length - 1));
}

/** Not a block comment that is followed by code, such as a cast. */
const wholeLines = /^[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/)[\s\S])*\*\/)[ \t]*$/gm;
