/** A unit of systemd out of a document: read by systemd itself where it is there, and its command run by hand. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { waitUntil } from '../support/wait-until.ts';
import type { FreshClone } from './fresh-clone.ts';

/** @returns why systemd did not read it; undefined when it did. */
export async function tryUnit(clone: FreshClone, text: string): Promise<string | undefined> {
  await clone.stopService();
  const unread = verify(clone, text);
  await runByHand(clone, text);
  return unread;
}

/** With this clone in the place of the checkout that the unit names. */
function verify(clone: FreshClone, text: string): string | undefined {
  const folder = mkdtempSync(join(clone.home, 'units-'));
  const path = join(folder, 'svc-mcp-gateway.service');
  writeFileSync(path, `${text.replaceAll(checkout, clone.dir)}\n`);
  const scope = text.includes('default.target') ? '--user' : '--system';
  const { status, stderr, error } = spawnSync('systemd-analyze', [scope, 'verify', path], {
    encoding: 'utf8',
    env: { ...process.env, HOME: clone.home, XDG_RUNTIME_DIR: clone.home },
  });
  if (error) return 'systemd-analyze is not here';
  const complaints = stderr.split('\n').filter((line) => line.includes('svc-mcp-gateway.service'));
  assert.is(complaints.join('\n'), '');
  assert.is(status, 0, stderr);
  return undefined;
}

const checkout = /(%h|\/opt)\/svc-mcp-gateway/g;

/** What it says about folders and variables, as systemd would see to it. */
async function runByHand(clone: FreshClone, text: string): Promise<void> {
  const state = join(clone.home, 'state');
  const filled = text.replaceAll(checkout, clone.dir).replaceAll('%S', state).replaceAll('%h', clone.home);
  const of = (name: string) =>
    [...filled.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const stateFolders = of('StateDirectory').map((name) => join(state, name));
  for (const folder of stateFolders) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const variables = [
    ...of('Environment').flatMap((line) => line.split(/\s+/)),
    ...stateFolders.map((folder) => `STATE_DIRECTORY=${folder}`),
  ];
  const { stdout } = await clone.run('env -0');
  const inherited = stdout.split('\0').filter((line) => line !== '');
  const [program = '', ...args] = (of('ExecStart')[0] ?? '').split(' ');
  const child = spawn(program, args, {
    cwd: of('WorkingDirectory')[0] ?? '/',
    env: Object.fromEntries([...inherited, ...variables].map(toEntry)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const isReady = async () => (await fetch(`${clone.managerUrl}/readyz`)).ok;
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    const isDecided = async () => hasEnded() || (await isReady());
    await waitUntil('the service of the unit is ready', isDecided, { limitMs: 120_000 });
    assert.not.ok(hasEnded(), 'it ended');
  } catch (error) {
    throw new Error(`${error}\n${output}`);
  } finally {
    child.kill('SIGTERM');
  }
  assert.is(await ended, 0, `it ends well when it is told to:\n${output}`);
  for (const folder of stateFolders)
    assert.ok(existsSync(join(folder, '.data')), `it lives in ${folder}:\n${output}`);
}

function toEntry(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}
