/**
 * Proves that the gateway set runs on any Fetch host: bundles its route table for a neutral platform and fails
 * on every import that only Node has, or that cannot be resolved. The manager set is tried as well, as a
 * warning: nobody promises it outside Node. Prints the sizes.
 */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const gateway = await bundle('handlers/gateway/routes.ts');
const manager = await bundle('handlers/manager/routes.ts');
console.log(describe('gateway', gateway));
console.log(describe('manager', manager).replace(/^FAIL/, 'note'));
process.exitCode = gateway.problems.length > 0 ? 1 : 0;

interface Bundle {
  readonly problems: readonly string[];
  readonly bytes: number;
  readonly gzipBytes: number;
}

async function bundle(entry: string): Promise<Bundle> {
  try {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL(`../${entry}`, import.meta.url))],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['import', 'worker', 'browser'],
      target: 'es2022',
      logLevel: 'silent',
    });
    const contents = outputFiles[0]?.contents ?? new Uint8Array();
    return { problems: [], bytes: contents.length, gzipBytes: gzipSync(contents).length };
  } catch (error) {
    return { problems: buildErrors(error), bytes: 0, gzipBytes: 0 };
  }
}

/** esbuild reports each `node:` or unknown import as an error of its own, with the importing file. */
function buildErrors(error: unknown): string[] {
  const errors = (error as { errors?: { text: string; location?: { file: string; line: number } }[] }).errors;
  if (!errors) return [String(error)];
  return errors.map(
    ({ text, location }) => `${location ? `${location.file}:${location.line}: ` : ''}${text}`,
  );
}

function describe(name: string, { problems, bytes, gzipBytes }: Bundle): string {
  if (problems.length > 0) return [`FAIL ${name} set is not portable:`, ...problems].join('\n  ');
  return `ok   ${name} set: ${Math.round(bytes / 1024)} KiB, ${Math.round(gzipBytes / 1024)} KiB gzipped`;
}
