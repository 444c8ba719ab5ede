import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isNewHome, writeExamples } from '../../../lib/home/node-examples.ts';
import { sourcesFolder } from '../../../lib/home/node-home.ts';
import { withOwnProgram } from '../../../lib/home/node-own-program.ts';
import { readSettings } from '../../../lib/settings/settings.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('the examples of a new home');
const base = mkdtempSync(join(tmpdir(), 'examples-'));
const sources = '/usr/lib/node_modules/svc-mcp';

test.after(() => rmSync(base, { recursive: true, force: true }));

function settingsIn(home: string, others: Record<string, string> = {}) {
  const folder = (name: string) => join(base, home, name);
  return readSettings({
    ...{ DATA_DIR: folder('.data'), GROUPS_DIR: folder('groups'), CONFIGS_DIR: folder('configs') },
    ...others,
  });
}

test('they are for a package that nothing has lived in, and for no other home', () => {
  assert.ok(isNewHome(settingsIn('new'), sources));
  assert.not.ok(isNewHome(settingsIn('new'), '/srv/checkout'));
  assert.not.ok(isNewHome(settingsIn('new', { ROLES: 'gateway' }), sources));
  assert.not.ok(isNewHome(settingsIn('new', { DATABASE_URL: 'postgres://localhost/shared' }), sources));
  for (const used of ['.data', 'groups', 'configs']) {
    mkdirSync(join(base, used, used), { recursive: true });
    assert.not.ok(isNewHome(settingsIn(used), sources), used);
  }
});

test('they are what a checkout has, but for how they are started', () => {
  const settings = settingsIn('laid', { DEFAULT_GROUP: 'mine' });
  const { log, logged } = createRecordingLog();
  writeExamples(settings, log);
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

  assert.equal(read(join(settings.groupsDir, 'mine.json')), {
    ...read(join(sourcesFolder, 'groups/svc-global.json')),
    name: 'mine',
  });
  assert.is(logged.length, 1);
  assert.equal(readdirSync(settings.configsDir), readdirSync(join(sourcesFolder, 'configs')));
  for (const file of readdirSync(settings.configsDir)) {
    const { name, transport } = read(join(sourcesFolder, 'configs', file));
    const { description, ...config } = read(join(settings.configsDir, file));
    assert.equal(config, { name, transport, command: 'svc-mcp', args: ['example', name] });
    assert.type(description, 'string');
  }
});

test('`svc-mcp` as the command of a server is this program on this Node, whatever PATH has', () => {
  const { command, args } = withOwnProgram(
    serverConfig({ name: 'x', command: 'svc-mcp', args: ['example', 'everything'] }),
  );
  const others = serverConfig({ name: 'x', command: '/opt/svc-mcp', args: ['x'] });

  assert.is(command, process.execPath);
  assert.equal(args, [join(sourcesFolder, 'bin/svc-mcp.js'), 'example', 'everything']);
  assert.ok(existsSync(args[0] ?? ''));
  assert.is(withOwnProgram(others), others);
});

test.run();
