import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { documentSuite } from './document-suite.ts';
import { type FreshClone, installPackages } from './fresh-clone.ts';

const itsUnits = {
  skipped:
    'it would change the services of whoever runs the tests; tests/package/package.test.ts runs what the files start',
};
const inPackage = (holds: string) => ({ elsewhere: { file: 'tests/package/package.test.ts', holds } });
const itsStack = { skipped: 'the image that stands in for Postgres in tests/stack/ has no pg_dump' };
const dump = `svc_readme_${randomBytes(4).toString('hex')}`;

const test = documentSuite({
  path: 'docs/operation.md',
  prepare: async (clone) => installPackages(clone),
  commands: [
    ['mkdir -p ~/.config/systemd/user', {}],
    ['cp "$(npm root -g)/svc-mcp/deploy/systemd/user/svc-mcp.service" ~/.config/systemd/user/', itsUnits],
    ['systemctl --user daemon-reload', itsUnits],
    ['systemctl --user enable --now svc-mcp', itsUnits],
    ['loginctl enable-linger', itsUnits],
    ['journalctl --user -u svc-mcp -f', itsUnits],
    ['sudo cp "$(npm root -g)/svc-mcp/deploy/systemd/svc-mcp.service" /etc/systemd/system/', itsUnits],
    ['sudo systemctl daemon-reload', itsUnits],
    ['sudo systemctl enable --now svc-mcp', itsUnits],
    ['sudo svc-mcp list servers --data /var/lib/svc-mcp', itsUnits],
    ['cp "$(npm root -g)/svc-mcp/deploy/launchd/svc-mcp.plist" ~/Library/LaunchAgents/', itsUnits],
    ['launchctl bootstrap "gui/$(id -u)" ~/Library/LaunchAgents/svc-mcp.plist', itsUnits],
    ['launchctl kickstart -k "gui/$(id -u)/svc-mcp"', itsUnits],
    ['npm install -g ./svc-mcp-0.1.0.tgz', inPackage('a newer version over it')],
    ['systemctl --user restart svc-mcp', itsUnits],
    ['git pull', {}],
    ['npm ci', { limitMs: 400_000 }],
    ['umask 077', { before: useIt }],
    ['tar -czf ../gateway-backup.tgz .env groups configs .data', {}],
    ['rm -rf groups configs .data', {}],
    ['tar -xzf ../gateway-backup.tgz', {}],
    ['npm start', { isService: true, after: assertItIsBack }],
    ['pg_dump --no-owner "$DATABASE_URL" > ../gateway.sql', { needs: 'Postgres', before: usePostgres }],
    [
      'psql --quiet --set ON_ERROR_STOP=1 "$DATABASE_URL" < ../gateway.sql',
      { needs: 'Postgres', before: emptyPostgres, after: assertPostgresIsBack },
    ],
    [
      `docker compose exec -T postgres sh -c 'pg_dump --no-owner -U "$POSTGRES_USER" "$POSTGRES_DB"' > ../gateway.sql`,
      itsStack,
    ],
    ['docker compose exec -T manager cat .secrets/secrets.env > ../secrets.env', itsStack],
    ['mkdir -p ~/gateway', { before: (clone) => clone.stopService() }],
    ['cp -r groups configs ~/gateway/', {}],
    [
      'cat >> .env <<END\nDATA_DIR=$HOME/gateway/data\nGROUPS_DIR=$HOME/gateway/groups\nCONFIGS_DIR=$HOME/gateway/configs\nEND',
      {},
    ],
    ['npm start', { isService: true }],
    [`npx svc-mcp call everything__echo --args '{"message":"from elsewhere"}'`, {}],
  ],
});

const toggled = '"$URL/api/tools/toggle" -H "Content-Type: application/json"';

/** Settings, a choice and a secret that are not those of a new checkout; then it is stopped. */
async function useIt(clone: FreshClone): Promise<void> {
  writeFileSync(join(clone.dir, '.env'), 'LOG_LEVEL=warn\n');
  await clone.startService();
  const off = await clone.run(
    `URL=${clone.managerUrl}; curl -sf ${toggled} -d '{"tool":"everything__get-sum","enabled":false}'`,
  );
  assert.is(off.code, 0, off.stdout);
  const config =
    '{"name":"keeps","command":"npx","args":["@modelcontextprotocol/server-memory"],"env":{"A":"kept value"}}';
  const added = await clone.run(`echo '${config}' | npx svc-mcp register -c -`);
  assert.is(added.code, 0, added.stderr);
  await clone.stopService();
}

async function assertItIsBack(clone: FreshClone): Promise<void> {
  const { stdout } = await clone.run(
    'npx svc-mcp list tools; cat .data/secrets.env; npx svc-mcp list servers',
  );
  assert.match(stdout, /^ +everything__get-sum/m);
  assert.match(stdout, 'kept value');
  assert.match(stdout, /^keeps +stdio +\S+ +9$/m);
}

/** A service that has made its tables there, and was stopped. */
async function usePostgres(clone: FreshClone): Promise<void> {
  await clone.stopService();
  const server = process.env.TEST_POSTGRES_URL ?? '';
  const url = new URL(server);
  url.pathname = `/${dump}`;
  await psql(clone, server, `CREATE DATABASE ${dump}`);
  await clone.run(`export DATABASE_URL='${url}'`);
  await clone.startService();
  await clone.stopService();
}

async function emptyPostgres(clone: FreshClone): Promise<void> {
  await recreate(clone, true);
}

async function assertPostgresIsBack(clone: FreshClone): Promise<void> {
  await clone.startService();
  const { stdout } = await clone.run('npx svc-mcp list servers');
  assert.match(stdout, /^everything/m);
  await clone.stopService();
  await clone.run('unset DATABASE_URL');
  await recreate(clone, false);
}

async function recreate(clone: FreshClone, again: boolean): Promise<void> {
  const server = process.env.TEST_POSTGRES_URL ?? '';
  await psql(clone, server, `DROP DATABASE ${dump} WITH (FORCE)`);
  if (again) await psql(clone, server, `CREATE DATABASE ${dump}`);
}

async function psql(clone: FreshClone, url: string, statement: string): Promise<void> {
  const { code, stderr } = await clone.run(`psql --quiet -c '${statement}' '${url}'`);
  assert.is(code, 0, stderr);
}

test.run();
