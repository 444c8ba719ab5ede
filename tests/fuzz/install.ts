/** The fuzzer, in a virtual environment: installed once for each set of versions, through Python's ordinary client. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { installOnce, runInstaller } from '../../scripts/clients/install-once.ts';
import { cacheFolder } from '../../scripts/clients/sdk-clients.ts';

/** Of hypothesis, too: a seed means the same inputs only with the same generator. */
const requirements = ['schemathesis==4.32.5', 'hypothesis==6.170.15', 'openapi-spec-validator==0.9.0'];

/** @returns its Python. @throws Error with one line when this machine cannot have it. */
export async function installFuzzer(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([process.arch, requirements]));
  const folder = join(cacheFolder, `fuzzer-${hash.digest('hex').slice(0, 12)}`);
  await installOnce(folder, async (staging) => {
    await makeEnvironment(staging);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1'];
    await runInstaller(join(staging, 'bin', 'python'), [...pip, ...requirements], staging);
  });
  return join(folder, 'bin', 'python');
}

/** Debian has `venv` in a package of its own. */
async function makeEnvironment(folder: string): Promise<void> {
  const make = () => runInstaller('python3', ['-m', 'venv', '--clear', '.'], folder);
  try {
    await make();
  } catch (error) {
    if (process.getuid?.() !== 0) throw error;
    await runInstaller('apt-get', ['update', '-q'], folder);
    await runInstaller(
      'apt-get',
      ['install', '-y', '-q', '--no-install-recommends', 'python3', 'python3-venv'],
      folder,
    );
    await make();
  }
}
