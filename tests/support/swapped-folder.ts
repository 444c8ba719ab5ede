/** A folder as a volume of a Kubernetes ConfigMap or Secret is laid out, and exchanged (kubelet's AtomicWriter). */
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface SwappedFolder {
  readonly path: string;
  /** Gives the folder these files, all at once. */
  swap(files: Readonly<Record<string, string>>): void;
}

/** @param path Of the folder, which may exist. @param files By name, with their content. */
export function createSwappedFolder(path: string, files: Readonly<Record<string, string>>): SwappedFolder {
  let count = 0;
  mkdirSync(path, { recursive: true });

  function swap(next: Readonly<Record<string, string>>): void {
    count += 1;
    const version = `..2026_11_25_10_00_00.${String(count).padStart(9, '0')}`;
    const before = readdirSync(path).includes('..data') ? readlinkSync(join(path, '..data')) : undefined;
    mkdirSync(join(path, version));
    for (const [name, text] of Object.entries(next)) writeFileSync(join(path, version, name), text);
    symlinkSync(version, join(path, '..data_tmp'));
    renameSync(join(path, '..data_tmp'), join(path, '..data'));
    const links = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    const visible = links.map(({ name }) => name).filter((name) => name !== '..data');
    for (const name of Object.keys(next)) {
      if (!visible.includes(name)) symlinkSync(join('..data', name), join(path, name));
    }
    for (const name of visible) if (!(name in next)) rmSync(join(path, name));
    if (before !== undefined) rmSync(join(path, before), { recursive: true });
  }

  swap(files);
  return { path, swap };
}
