/** How the service and the command line are started as real processes, on which Node, with which environment. */
import { fileURLToPath } from 'node:url';

export const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/** `TEST_NODE` names another Node binary to run the service on. */
export const testNode = process.env.TEST_NODE ?? process.execPath;

/** What a child needs of our environment, and nothing else of it: no setting of ours leaks into a test. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return { PATH, HOME, LANG, TMPDIR };
}
