import { realpath, stat } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import { readRegularFile } from '../../files/node-regular-file.ts';
import { parseDockerConfig } from './docker-config.ts';
import { type AskHelper, askCredentialHelper } from './node-credential-helper.ts';
import type { CredentialSource } from './registry-credentials.ts';

/**
 * Docker's own configuration file as a source of credentials, read anew each time, so that a `docker login` counts at the
 * next pull. It may be a link, as mounted files are. No file means no credentials.
 * @param path Undefined: there is no place for one.
 */
export function dockerConfigCredentials(
  path: string | undefined,
  askHelper: AskHelper = askCredentialHelper,
): CredentialSource {
  return async (registry) => {
    const config = path === undefined ? undefined : await readConfig(path);
    const helper = config?.helperOf(registry);
    const problems: unknown[] = [];
    const fromHelper =
      helper && (await askHelper(helper, registry).catch((error) => void problems.push(error)));
    const auth = fromHelper || config?.authOf(registry);
    if (auth === undefined && problems.length > 0) throw problems[0];
    return { auth, source: fromHelper ? `\`docker-credential-${helper}\`` : 'docker’s configuration file' };
  };
}

async function readConfig(path: string) {
  const content = await readRegularFile(await realpath(path).catch(() => path));
  if (content.kind === 'absent' || (await isDangling(path))) return undefined;
  if (content.kind === 'unusable') throw unreadable(content.problem);
  const config = parseDockerConfig(content.text);
  if (config === undefined) throw unreadable('It is not a JSON object.');
  return config;
}

/** A link to a file that is not there yet. */
function isDangling(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

function unreadable(problem: string): Failure {
  return new Failure('storage_failed', `Docker’s configuration file cannot be used. ${problem}`);
}
