/** How the service and the command line are started as real processes, on which Node, with which environment. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/** `TEST_NODE` names another Node binary to run the service on. */
export const testNode = process.env.TEST_NODE ?? process.execPath;

/** Node from 22.18 on runs TypeScript itself; below, tsx does. */
export function serviceArguments(node: string): string[] {
  const [major = 0, minor = 0] = nodeVersion(node).split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18) ? ['server.ts'] : ['--import', 'tsx', 'server.ts'];
}

/** What a child needs of our environment, and nothing else of it: no setting of ours leaks into a test. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return { PATH, HOME, LANG, TMPDIR };
}

function nodeVersion(node: string): string {
  if (node === process.execPath) return process.versions.node;
  return execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
}
