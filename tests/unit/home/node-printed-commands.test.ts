import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findHome, type StartPlace } from '../../../lib/home/node-home.ts';
import {
  gatewayCommandAnywhere,
  gatewayCommandHere,
  startCommandAnywhere,
  startCommandHere,
} from '../../../lib/home/node-printed-commands.ts';

const test = suite('commands that are printed');
const base = realpathSync(mkdtempSync(join(tmpdir(), 'printed-')));
const at = (...parts: string[]) => join(base, ...parts);
const bin = at('prefix/bin');

test.after(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** A package as npm leaves it; what npx has fetched knows the words that it was asked for in. */
function installed(folder: string, requested?: string): string {
  const sources = at(folder, 'node_modules/svc-mcp');
  write(join(sources, 'bin/svc-mcp.js'), '#!/usr/bin/env node\n');
  chmodSync(join(sources, 'bin/svc-mcp.js'), 0o755);
  if (requested !== undefined)
    write(at(folder, 'package.json'), JSON.stringify({ _npx: { packages: [requested] } }));
  return sources;
}

function where(sources: string, directory = at('anywhere'), others: string[] = []): StartPlace {
  const PATH = [...others, dirname(process.execPath)].join(delimiter);
  return { sources, directory, environment: { HOME: at('user'), PATH } };
}

const commandOf = (place: StartPlace) => gatewayCommandAnywhere(findHome(place), place);

test('a global install is called by its name, wherever the shell finds it', () => {
  const sources = installed('prefix/lib');
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(sources, 'bin/svc-mcp.js'), join(bin, 'svc-mcp'));
  const place = where(sources, '/', [bin]);

  assert.is(commandOf(place), 'svc-mcp');
  assert.is(gatewayCommandHere(findHome(place), place), 'svc-mcp');
  assert.is(startCommandAnywhere(place), 'svc-mcp start');
  assert.is(startCommandHere(place), 'svc-mcp start');
  assert.is(commandOf(where(sources, '/')), `node ${sources}/bin/svc-mcp.js`);
});

test('a home that the command line would not find by itself is named', () => {
  const sources = installed('prefix/lib');
  const place = where(sources, base, [bin]);
  const named = { ...place, environment: { ...place.environment, GATEWAY_HOME: 'my home' } };
  const apart = { ...place, environment: { ...place.environment, DATA_DIR: 'd' } };

  assert.is(commandOf(named), `svc-mcp --data '${at('my home')}'`);
  assert.is(gatewayCommandHere(findHome(named), named), `svc-mcp --data '${at('my home')}'`);
  assert.is(commandOf(apart), `DATA_DIR=${at('d')} svc-mcp`);
});

test('what npx fetched from a registry is called as it was, and never in the place of another program', () => {
  const sources = installed('cache/_npx/1a2b', 'svc-mcp@0.1.0');
  const project = at('project');
  write(join(project, 'package.json'), '{}');
  const before = commandOf(where(sources, project));
  write(join(project, 'node_modules/.bin/svc-mcp'), '');

  assert.is(commandOf(where(sources)), 'npx svc-mcp@0.1.0');
  assert.is(startCommandAnywhere(where(sources)), 'npx svc-mcp@0.1.0 start');
  assert.is(before, 'npx svc-mcp@0.1.0');
  assert.is(commandOf(where(sources, project)), `node ${sources}/bin/svc-mcp.js`);
});

test('what npx took from a file, or from elsewhere, is called by its whole path', () => {
  for (const requested of ['./svc-mcp-0.1.0.tgz', 'file:/x/svc-mcp.tgz', 'other', 'svc-mcp; true']) {
    const sources = installed(`cache/_npx/${requested.replace(/\W/g, '')}`, requested);

    assert.is(commandOf(where(sources)), `node ${sources}/bin/svc-mcp.js`, requested);
  }
});

test('a package that a project has is called by npx within the project', () => {
  const sources = installed('mine');
  mkdirSync(at('mine/node_modules/.bin'), { recursive: true });
  symlinkSync(join(sources, 'bin/svc-mcp.js'), at('mine/node_modules/.bin/svc-mcp'));
  const inside = where(sources, at('mine/deep'), [at('mine/node_modules/.bin')]);

  assert.is(gatewayCommandHere(findHome(inside), inside), 'npx svc-mcp');
  assert.is(startCommandHere(inside), 'npx svc-mcp start');
  assert.is(commandOf(inside), `node ${sources}/bin/svc-mcp.js`);
});

test.run();
