/** The published schema of Kubernetes, in a package that checks manifests by it: installed once, through Python's client. */
import { join } from 'node:path';
import { installOnce } from '../../scripts/clients/install-once.ts';
import { installPython } from '../../scripts/clients/installers.ts';
import { cacheFolder } from '../../scripts/clients/sdk-clients.ts';
import { runCommand } from './run-command.ts';

const requirement = 'kubernetes-validate==1.37.0';
/** The oldest one that is still maintained, and the newest one. */
export const kubernetesVersions = ['1.35', '1.37'] as const;

/** Prints what is wrong with each document, one a line: a field that is not known is wrong, too. */
const program = `
import sys, yaml, kubernetes_validate as k
version, count = sys.argv[1], 0
for path in sys.argv[2:]:
    for document in yaml.safe_load_all(open(path)):
        count += 1
        try:
            k.validate(document, version, strict=True)
        except k.ValidationError as error:
            print(path, document['kind'], '.'.join(map(str, error.path)), error.message)
print(count, 'documents')
`;

export type CheckManifests = (version: string, files: readonly string[]) => Promise<readonly string[]>;

/** Undefined, after one line that says so, where the package cannot be had. */
export async function openKubernetesSchema(): Promise<CheckManifests | undefined> {
  const folder = join(cacheFolder, requirement.replace('==', '-'));
  try {
    await installOnce(folder, (staging) => installPython(staging, requirement));
  } catch (error) {
    console.error(`the schema of Kubernetes: skipped, ${(error as Error).message}`);
    return undefined;
  }
  return async (version, files) => {
    const args = ['-c', program, version, ...files];
    const python = join(folder, 'bin', 'python');
    const { code, stdout, stderr } = await runCommand(python, args, { cwd: folder, env: process.env });
    if (code !== 0)
      throw new Error(`The manifests could not be checked: ${stderr.trim().split('\n').at(-1)}`);
    return stdout.trim().split('\n');
  };
}
