/**
 * The file system of a stand-in image, put together from what this machine has installed: programs, the libraries
 * they are linked against, folders and texts. Debian's layout, with `/bin` and `/lib` as links into `/usr`.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a shell script and npm's start script need. */
const shellTools = ['cat', 'chmod', 'chown', 'env', 'id', 'mkdir', 'rm', 'setpriv', 'sh', 'sleep', 'test'];

export interface RootFolder {
  readonly path: string;
  /** A program or library of this machine, with everything it is linked against. */
  addProgram(source: string, target?: string): void;
  /** A folder with all it holds, but for paths that `skip` matches. */
  addFolder(source: string, target?: string, skip?: RegExp): void;
  write(target: string, text: string, mode?: number): void;
}

/** @param users name → id, beside root. */
export function createRootFolder(path: string, users: Readonly<Record<string, number>>): RootFolder {
  const inside = (target: string) => join(path, target);

  function copy(source: string, target: string): void {
    if (existsSync(inside(target))) return;
    mkdirSync(dirname(inside(target)), { recursive: true });
    cpSync(realpathSync(source), inside(target));
  }

  const root: RootFolder = {
    path,
    addProgram(source, target = source) {
      copy(source, target);
      for (const library of librariesOf(source)) copy(library, library);
    },
    addFolder(source, target = source, skip) {
      const filter = (from: string) => !skip?.test(from);
      cpSync(source, inside(target), { recursive: true, verbatimSymlinks: true, filter });
    },
    write(target, text, mode = 0o644) {
      mkdirSync(dirname(inside(target)), { recursive: true });
      writeFileSync(inside(target), text);
      chmodSync(inside(target), mode);
    },
  };
  makeSkeleton(root, users);
  return root;
}

function makeSkeleton(
  { path, addProgram, write }: RootFolder,
  users: Readonly<Record<string, number>>,
): void {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(join(path, 'usr', folder), { recursive: true });
    symlinkSync(`usr/${folder}`, join(path, folder));
  }
  mkdirSync(join(path, 'tmp'));
  chmodSync(join(path, 'tmp'), 0o1777);
  const people = Object.entries({ root: 0, ...users });
  write('/etc/passwd', people.map(([name, id]) => `${name}:x:${id}:${id}::/tmp:/bin/sh\n`).join(''));
  write('/etc/group', people.map(([name, id]) => `${name}:x:${id}:\n`).join(''));
  write('/etc/nsswitch.conf', 'hosts: files dns\n');
  for (const tool of shellTools) addProgram(`/usr/bin/${tool}`);
}

function librariesOf(program: string): readonly string[] {
  const output = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...output.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library);
}
