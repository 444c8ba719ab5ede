/**
 * A script or style sheet of the page as it is sent: without the comments that have lines of their own. They are a
 * third of our files, and browsers have no use for them. Lines stay where they are, so that what a browser says of
 * a line is true of the file. No parser: a text in back-quotes must not have a line that looks like a comment, which
 * a test sees to.
 */
export function withoutComments(source: string): string {
  return source.replace(wholeLines, (comment) => '\n'.repeat(comment.split('\n').length - 1));
}

/** A block that is followed by code, such as a cast, is not whole lines. */
const wholeLines = /^[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/)[\s\S])*\*\/)[ \t]*$/gm;
