/**
 * The Chromium that drives the dashboard in tests: `CHROMIUM_PATH`, one on the PATH, or Debian's package, installed
 * when this is root on a machine with apt. Nothing of the service uses it.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, launch } from 'puppeteer-core';

const run = promisify(execFile);
const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Undefined, after one line on stderr that says why, when this machine cannot have one. */
export async function startChromium(): Promise<Browser | undefined> {
  try {
    if (!findChromium()) await installChromium();
    const executablePath = findChromium();
    if (!executablePath) throw new Error('it is not installed; CHROMIUM_PATH may name one');
    return await start(executablePath);
  } catch (error) {
    console.error(`chromium: skipped, ${(error as Error).message.split('\n')[0]}`);
    return undefined;
  }
}

/** Over a pipe, so that it ends with this process however that ends. */
function start(executablePath: string): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return launch({
    executablePath,
    pipe: true,
    // The page reserves their place, as people see it.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: [
      // Chromium's sandbox refuses to work for root.
      ...(isRoot ? ['--no-sandbox'] : []),
      ...['--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb'],
    ],
  });
}

function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  return folders.flatMap((folder) => programs.map((program) => join(folder, program))).find(isProgram);
}

async function installChromium(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('it is not installed, and installing it needs root');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run('apt-get', ['update', '-q'], { env });
    const packages = ['chromium', 'fonts-dejavu-core', 'fonts-noto-core'];
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env });
  } catch (error) {
    const reason = String((error as { stderr?: string }).stderr || (error as Error).message).trim();
    throw new Error(`apt-get could not install chromium: ${reason.split('\n').at(-1)}`);
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
