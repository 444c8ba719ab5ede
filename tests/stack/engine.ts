/** What the stack needs of this machine: an engine, a compose command, make and curl. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Undefined when the stack can be started here, else why not. In CI a missing compose command is installed. */
export async function stackProblem(): Promise<string | undefined> {
  if (!(await works('docker', 'info')))
    return 'no container engine answers; shared/testbed/testbed.sh up starts one';
  if (!(await works('make', '--version')) || !(await works('curl', '--version')))
    return 'make or curl is missing';
  if (await hasCompose()) return undefined;
  if (process.env.CI === 'true' && process.getuid?.() === 0) await installCompose();
  return (await hasCompose()) ? undefined : 'neither docker compose nor docker-compose is there';
}

/** The words of the command; the new one where there are both. */
export async function composeCommand(): Promise<readonly string[]> {
  return (await works('docker', 'compose', 'version')) ? ['docker', 'compose'] : ['docker-compose'];
}

async function hasCompose(): Promise<boolean> {
  return works(...(await composeCommand()), 'version');
}

async function installCompose(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await works('apt-get', 'update', '-q');
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'docker-compose'], { env }).catch(
    () => {},
  );
}

function works(...[command = '', ...args]: readonly string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}
