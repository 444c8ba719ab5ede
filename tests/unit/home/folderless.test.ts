import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findHome } from '../../../lib/home/node-home.ts';
import type { EnvironmentVariables } from '../../../lib/settings/setting-reader.ts';

const test = suite('a process without folders');
const base = mkdtempSync(join(tmpdir(), 'folderless-'));
const at = (...parts: string[]) => join(base, ...parts);
const gateway = { ROLES: 'gateway', DATABASE_URL: 'postgres://db.example/svc' };

test.after(() => rmSync(base, { recursive: true, force: true }));

function find(environment: EnvironmentVariables, directory = at('checkout')) {
  return findHome({ directory, sources: at('checkout'), environment: { HOME: at('user'), ...environment } });
}

test.before.each(() => {
  rmSync(base, { recursive: true, force: true });
  mkdirSync(at('checkout'), { recursive: true });
});

test('serves agents from a Postgres, in a folder without groups', () => {
  mkdirSync(at('checkout/groups'));
  writeFileSync(at('checkout/groups/.keep'), '');

  assert.ok(find(gateway).isFolderless);
  assert.ok(find({ ROLES: ' gateway ', POSTGRES_HOST: 'db.example' }).isFolderless);
});

test('a home that does not exist stays so', () => {
  const home = find({ ...gateway, GATEWAY_HOME: at('nowhere') });

  assert.ok(home.isFolderless);
  assert.is(home.folder, at('nowhere'));
  assert.not(existsSync(at('nowhere')));
});

test('is none with a group of its own, in the home or where a setting says', () => {
  mkdirSync(at('checkout/groups'));
  writeFileSync(at('checkout/groups/ops.json'), '{}');

  assert.not(find(gateway).isFolderless);
  assert.not(find({ ...gateway, GATEWAY_HOME: at('nowhere'), GROUPS_DIR: at('groups') }).isFolderless);
});

test('a manager has folders, and so has whoever lives on the embedded database', () => {
  assert.not(find({ ...gateway, ROLES: 'manager,gateway' }).isFolderless);
  assert.not(find({ ...gateway, ROLES: '' }).isFolderless);
  assert.not(find({ ROLES: 'gateway', DATABASE_URL: ' ' }).isFolderless);
});

test('the settings may stand in the .env of the home', () => {
  writeFileSync(at('checkout/.env'), 'ROLES=gateway\nPOSTGRES_HOST=db.example\n');

  assert.ok(find({}).isFolderless);
});

test.run();
