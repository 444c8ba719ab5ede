import { spawnSync } from 'node:child_process';

/** One command of a block, as bash reads it: with its continuation lines and here-documents. */
export interface Command {
  /** As it stands there, without comments at the ends of lines. */
  readonly text: string;
  /** What a comment `# → …` beside it says that it prints. */
  readonly prints: readonly string[];
  /** Within the block, from 0. */
  readonly line: number;
}

export function splitCommands(block: string): readonly Command[] {
  const commands: Command[] = [];
  let pending: string[] = [];
  let start = 0;
  for (const [at, line] of block.split('\n').entries()) {
    if (pending.length === 0 && /^\s*(#.*)?$/.test(line)) continue;
    if (pending.length === 0) start = at;
    pending.push(line);
    if (!isWhole(pending.join('\n'))) continue;
    commands.push(commandOf(pending, start));
    pending = [];
  }
  if (pending.length > 0) throw new Error(`bash does not read this to its end:\n${pending.join('\n')}`);
  return commands;
}

function commandOf(lines: readonly string[], line: number): Command {
  const comment = /\s{2,}# (.*)$/;
  const prints = lines.flatMap((one) => /^→ (.*)$/.exec(comment.exec(one)?.[1] ?? '')?.[1] ?? []);
  return {
    text: lines
      .map((one) => one.replace(comment, ''))
      .join('\n')
      .trim(),
    prints,
    line,
  };
}

/** bash complains about the end of what is not, and of a here-document only by a warning. */
function isWhole(text: string): boolean {
  if (text.endsWith('\\')) return false;
  const { status, stderr } = spawnSync('bash', ['-n'], { input: `${text}\n`, encoding: 'utf8' });
  return status === 0 && stderr === '';
}
