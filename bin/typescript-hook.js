// Lets Node 20 read our TypeScript where no bundle can be stored: nothing is written, but each start takes longer.
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** A load hook (nodejs.org/api/module.html, Customization hooks). */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const { code } = await transform(await readFile(new URL(url)), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcefile: url,
  });
  return { format: 'module', source: code, shortCircuit: true };
}
