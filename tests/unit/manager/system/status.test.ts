import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createManagerFixture } from '../servers/manager-fixture.ts';

const test = suite('GET /api/status');

test('says where everything is, and that all is well', async () => {
  const { call } = createManagerFixture({ isAdministrator: true });

  const { status, body } = await call('GET', '/api/status');

  assert.is(status, 200);
  assert.equal(body, {
    success: true,
    version: '1.2.3',
    default_group: 'svc-global',
    gateway_url: 'http://127.0.0.1:3700',
    manager_url: 'http://127.0.0.1:3701',
    groups_dir: 'groups',
    gateway_command: 'node /opt/gateway/bin/svc-mcp.js',
    commands_allowed: true,
    protocol_version: '2025-11-25',
    tries_allowed: false,
    database: { ok: true },
    engine: { ok: true },
    configs: { ok: true },
    secrets: { method: 'env_file', reachable: true },
  });
});

test('answers while everything is down, and says what is', async () => {
  const { call } = createManagerFixture({
    problems: {
      database: async () => 'The database cannot be reached.',
      engine: async () => 'No container engine answers.',
    },
    secrets: { method: 'external_manager', isReachable: async () => false },
    registry: { folderProblem: () => 'The folder of registration configs is missing.' },
  });

  const { status, body } = await call('GET', '/api/status');

  assert.is(status, 200);
  assert.equal(body.database, { ok: false, reason: 'The database cannot be reached.' });
  assert.equal(body.engine, { ok: false, reason: 'No container engine answers.' });
  assert.equal(body.configs, { ok: false, reason: 'The folder of registration configs is missing.' });
  assert.equal(body.secrets, { method: 'external_manager', reachable: false });
  assert.is(body.commands_allowed, false);
});

test.run();
