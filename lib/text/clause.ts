/** One of our sentences as the continuation of another: "the server is unavailable: …". */
export function clauseOf(sentence: string): string {
  const open = sentence.replace(/\.$/, '');
  return open.charAt(0).toLowerCase() + open.slice(1);
}
