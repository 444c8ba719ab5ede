/** The project's tracked files and what they import, for tests about the source itself. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectDir } from './service-command.ts';

export interface SourceFile {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Local files as project paths (`lib/x.ts`), everything else as written (`node:fs`, `pg`). */
  readonly imports: readonly SourceImport[];
}

export interface SourceImport {
  readonly target: string;
  /** `import type`: gone when the code runs. */
  readonly isTypeOnly: boolean;
}

/** Files of the working tree, those not yet tracked included, those that git ignores left out. */
export function listFiles(): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const output = execFileSync('git', list, { cwd: projectDir, encoding: 'utf8' });
  const gone = new Set(
    execFileSync('git', ['ls-files', '--deleted'], { cwd: projectDir, encoding: 'utf8' }).split('\n'),
  );
  return output.split('\n').filter((path) => path !== '' && !gone.has(path));
}

export function readText(path: string): string {
  return readFileSync(join(projectDir, path), 'utf8');
}

export function readSource(path: string): SourceFile {
  const text = readText(path);
  return { path, text, lines: text.trimEnd().split('\n').length, imports: readImports(path, text) };
}

const statement = /^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/gm;
const dynamic = /\b(?:import|require)\(\s*['"]([^'"]+)['"]/g;

export function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** Comments are taken out first: a docstring may show an import. */
export function readImports(path: string, source: string): SourceImport[] {
  const text = withoutComments(source);
  const found: SourceImport[] = [];
  for (const [, type, target = ''] of text.matchAll(statement)) {
    found.push({ target: resolve(path, target), isTypeOnly: type !== undefined });
  }
  for (const [, target = ''] of text.matchAll(dynamic)) {
    found.push({ target: resolve(path, target), isTypeOnly: false });
  }
  return found;
}

function resolve(path: string, target: string): string {
  return target.startsWith('.') ? posix.join(posix.dirname(path), target) : target;
}

/** Every local file that this one names in an import, those of types in JSDoc included. */
export function readAllImports(path: string): string[] {
  const named = readText(path).matchAll(/\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...new Set([...named].map(([, target = '']) => resolve(path, target)))].filter(
    (target) => target !== path,
  );
}
