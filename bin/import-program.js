// Imports an entry point of this program: the TypeScript sources in a checkout; in a package, which has none, the bundles
// that `npm pack` made of them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** As in `engines` of package.json, which npm only warns of. */
const oldestNode = [20, 19];

/**
 * @param {'server' | 'cli'} name
 * @returns {Promise<any>} the module's namespace
 */
export async function importProgram(name) {
  endOnOldNode();
  leaveRemovedFolder();
  const source = name === 'server' ? 'server.ts' : 'lib/cli/run.ts';
  if (!existsSync(join(root, source)))
    return await import(pathToFileURL(join(root, `dist/${name}.mjs`)).href);
  const { importTypeScript } = await import('./import-typescript.js');
  return await importTypeScript(source);
}

function endOnOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  console.error(`This needs Node ${oldestNode.join('.')} or newer; here it is ${process.versions.node}.`);
  process.exit(1);
}

/** The working directory may have been removed: then neither Node's load hooks nor our code could resolve a path. */
function leaveRemovedFolder() {
  try {
    process.cwd();
  } catch {
    process.chdir('/');
  }
}
