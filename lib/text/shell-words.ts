/** The line that a POSIX shell splits into these words. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** One variable of the command that follows it on a shell's line. */
export function shellVariable(name: string, value: string): string {
  return `${name}=${shellWord(value)}`;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
