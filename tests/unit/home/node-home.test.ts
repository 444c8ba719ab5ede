import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findHome, findServedHome, type StartPlace } from '../../../lib/home/node-home.ts';
import type { EnvironmentVariables } from '../../../lib/settings/setting-reader.ts';

const test = suite('where the service lives');
const base = realpathSync(mkdtempSync(join(tmpdir(), 'home-')));
const at = (...parts: string[]) => join(base, ...parts);
const user = at('user');
const ownState = at('user/.local/state/svc-mcp');

test.after(() => rmSync(base, { recursive: true, force: true }));

function makeFolders(...paths: string[]): void {
  for (const path of paths) mkdirSync(at(path), { recursive: true });
}

/** As root no folder is read-only, but none can be made below a file. */
function unwritable(name: string): string {
  makeFolders(name);
  for (const part of ['.data', 'groups', 'configs']) writeFileSync(at(name, part), '');
  return at(name);
}

function where(directory: string, sources: string, environment: EnvironmentVariables = {}): StartPlace {
  return { directory, sources, environment: { HOME: user, ...environment } };
}

test('in its checkout it lives there, whatever systemd offers', () => {
  makeFolders('checkout');
  const home = findHome(where(at('checkout'), at('checkout'), { STATE_DIRECTORY: at('state') }));

  assert.is(home.folder, at('checkout'));
});

test('elsewhere it lives in systemd’s folder, its checkout, or the user’s own one, whichever is first to be writable', () => {
  makeFolders('checkout');
  const installed = unwritable('installed');

  assert.is(
    findHome(where('/', at('checkout'), { STATE_DIRECTORY: `${at('state')}:/b` })).folder,
    at('state'),
  );
  assert.is(findHome(where('/', at('checkout'))).folder, at('checkout'));
  assert.is(findHome(where('/', installed)).folder, ownState);
  assert.is(findHome(where(installed, installed)).folder, ownState);
  assert.is(findHome(where('/', installed, { XDG_STATE_HOME: at('xdg') })).folder, at('xdg/svc-mcp'));
  assert.is(findHome(where('/', installed, { XDG_STATE_HOME: 'relative' })).folder, ownState);
});

test('a folder with groups and configs is lived in, unless everybody may write it', () => {
  makeFolders('checkout', 'mine/groups', 'mine/configs', 'half/groups');

  assert.is(findHome(where(at('mine'), at('checkout'))).folder, at('mine'));
  assert.is(findHome(where(at('half'), at('checkout'))).folder, at('checkout'));
  chmodSync(at('mine'), 0o1777);
  assert.is(findHome(where(at('mine'), at('checkout'))).folder, at('checkout'));
});

test('no folder is lived in that is another user’s, or lets everybody lay configs into it', () => {
  makeFolders('checkout', 'open/groups', 'open/configs', 'others/groups', 'others/configs');
  const homeIn = (folder: string) => findHome(where(at(folder), at('checkout'))).folder;

  assert.is(homeIn('open'), at('open'));
  chmodSync(at('open/configs'), 0o777);
  assert.is(homeIn('open'), at('checkout'));
  // Only root can give folders away.
  if (process.getuid?.() !== 0) return;
  for (const given of ['others', 'others/configs']) {
    chownSync(at(given), 12_345, 12_345);
    assert.is(homeIn('others'), at('checkout'), given);
    chownSync(at(given), 0, 0);
  }
  assert.is(homeIn('others'), at('others'));
});

test('packages that npm replaces at an update hold no data', () => {
  makeFolders('node_modules/svc-mcp');
  const sources = at('node_modules/svc-mcp');

  assert.is(findHome(where(sources, sources)).folder, ownState);
});

test('GATEWAY_HOME decides alone, and says so where it cannot be written', () => {
  const installed = unwritable('installed');
  const inHome = (GATEWAY_HOME: string) => findHome(where(base, at('checkout'), { GATEWAY_HOME }));

  assert.is(inHome('named').folder, at('named'));
  assert.throws(() => inHome(installed), new RegExp(`^GATEWAY_HOME: must name .* tried ${installed}\\.$`));
});

test('what settings name is not judged, so that a home for reading does where all is elsewhere', () => {
  const installed = unwritable('installed');
  const elsewhere = { DATA_DIR: '/d', GROUPS_DIR: '/g', CONFIGS_DIR: '/c' };

  assert.is(findHome(where('/', installed, elsewhere)).folder, installed);
});

test('folders with groups and configs may be for reading where they were chosen, but no others', () => {
  makeFolders('stack/groups', 'stack/configs', 'stack/.data');

  assert.is(findHome(where(at('stack'), at('stack'))).folder, at('stack'));
});

test('paths count from where they were given: the environment’s from the working directory, those of `.env` from there', () => {
  const installed = unwritable('with-settings');
  makeFolders('user/.local/state/svc-mcp', 'mine/groups', 'mine/configs');
  chmodSync(at('mine'), 0o755);
  writeFileSync(join(installed, '.env'), 'GROUPS_DIR=teams\nSECRETS_FILE=s.env\nLOG_LEVEL=warn\n');
  writeFileSync(join(ownState, '.env'), 'SECRETS_FILE=own.env\n');
  const { folder, variables } = findHome(where(base, installed, { CONFIGS_DIR: 'c' }));
  const here = findHome(where(at('mine'), at('mine'), { DATA_DIR: 'd' }));

  assert.is(folder, ownState);
  assert.is(variables.GROUPS_DIR, join(installed, 'teams'));
  assert.is(variables.CONFIGS_DIR, at('c'));
  assert.is(variables.SECRETS_FILE, 'own.env');
  assert.is(variables.LOG_LEVEL, 'warn');
  assert.is(here.variables.DATA_DIR, 'd');
});

test('settings beside the sources do not reach homes that were chosen by hand', () => {
  makeFolders('settled', 'mine/groups', 'mine/configs');
  writeFileSync(at('settled/.env'), 'DATABASE_URL=postgres://settled\n');

  for (const chosen of [
    where(at('mine'), at('settled')),
    where('/', at('settled'), { GATEWAY_HOME: at('named') }),
  ])
    assert.is(findHome(chosen).variables.DATABASE_URL, undefined);
  assert.is(findHome(where('/', at('settled'))).variables.DATABASE_URL, 'postgres://settled');
});

test('the command line looks where a service runs before it looks where one would', () => {
  makeFolders('idle', 'user/.local/state/svc-mcp/.data');
  const commandLine = where('/', at('idle'));

  assert.is(findServedHome(commandLine).folder, at('idle'));
  writeFileSync(join(ownState, '.data/admin.sock'), '');
  assert.is(findServedHome(commandLine).folder, ownState);
});

test.run();
