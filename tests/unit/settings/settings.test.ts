import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exposureWarnings } from '../../../lib/settings/exposure.ts';
import { readSettings } from '../../../lib/settings/settings.ts';

const test = suite('settings');

/** Starting with these must end with a sentence that begins with the variable's name. */
function refuses(variables: Record<string, string>, name: string, expected: RegExp): void {
  try {
    readSettings(variables);
  } catch (error) {
    const { message } = error as Error;
    assert.ok(message.startsWith(`${name}: `), message);
    assert.match(message, expected);
    return;
  }
  assert.unreachable(`${name} was accepted`);
}

test('nothing set: the defaults', () => {
  assert.equal(readSettings({}), {
    host: '127.0.0.1',
    managerPort: 3701,
    gatewayPort: 3700,
    roles: new Set(['manager', 'gateway']),
    database: { kind: 'pglite', directory: '.data/database' },
    isFolderless: false,
    dataDir: '.data',
    groupsDir: 'groups',
    configsDir: 'configs',
    defaultGroup: 'svc-global',
    publicGatewayUrl: undefined,
    publicManagerUrl: undefined,
    internalManagerUrl: undefined,
    gatewayCommand: undefined,
    dockerHost: undefined,
    updateCheckHours: 24,
    allowedHosts: [],
    allowedOrigins: [],
    adminToken: undefined,
    gatewayToken: undefined,
    maxCallsPerSession: 256,
    unusedSessionSeconds: 600,
    maxSessions: 10_000,
    maxConnectionsPerPeer: 2_048,
    trustedProxies: [],
    toolsPageSize: 0,
    allowedUpstreams: [],
    secrets: { method: 'env_file', path: '.data/secrets.env' },
    allowedImages: [],
    registryConfig: undefined,
    registryCredentials: new Map(),
    allowedMounts: [],
    sessionTtlSeconds: 86_400,
    callTimeoutMs: 60_000,
    shutdownSeconds: 8,
    drainSeconds: 0,
    maxBodyBytes: 4_194_304,
    logLevel: 'info',
  });
});

test('an empty or blank value counts as unset', () => {
  const settings = readSettings({ GATEWAY_PORT: '', ADMIN_TOKEN: '  ', DATABASE_URL: '', ROLES: ' ' });

  assert.is(settings.gatewayPort, 3700);
  assert.is(settings.adminToken, undefined);
  assert.is(settings.database.kind, 'pglite');
  assert.is(settings.roles.size, 2);
});

test('what lies in DATA_DIR moves with it', () => {
  const settings = readSettings({ DATA_DIR: '/var/lib/svc' });

  assert.equal(settings.secrets, { method: 'env_file', path: '/var/lib/svc/secrets.env' });
  assert.equal(settings.database, { kind: 'pglite', directory: '/var/lib/svc/database' });
});

test('lists are separated by commas, blanks around them are dropped', () => {
  const settings = readSettings({
    ALLOWED_HOSTS: ' gateway.example, tools.example ,,',
    ALLOWED_ORIGINS: 'https://ops.example,http://ops.example:8080',
    ALLOWED_IMAGES: 'mcp/*,ghcr.io/acme/*',
    ALLOWED_MOUNTS: '/srv/data/, mydata,*',
  });

  assert.equal(settings.allowedHosts, ['gateway.example', 'tools.example']);
  assert.equal(settings.allowedOrigins, ['https://ops.example', 'http://ops.example:8080']);
  assert.equal(settings.allowedImages, ['mcp/*', 'ghcr.io/acme/*']);
  assert.equal(settings.allowedMounts, ['/srv/data/', 'mydata', '*']);
});

test('mounts are allowed by absolute paths and names of volumes', () => {
  for (const bad of ['srv/data', '~/data', '/srv/../etc', 'my data']) {
    refuses({ ALLOWED_MOUNTS: `/srv,${bad}` }, 'ALLOWED_MOUNTS', /absolute paths without `\.\.`/);
  }
});

test('beyond loopback each port that is served needs its token, or somebody who says that it is open', () => {
  const open = { HOST: '0.0.0.0' };

  refuses(open, 'ADMIN_TOKEN', /must be set because HOST is not loopback.*ALLOW_OPEN=1/);
  refuses({ ...open, ADMIN_TOKEN: 'a' }, 'GATEWAY_TOKEN', /must be set because HOST is not loopback/);
  refuses({ ...open, ROLES: 'gateway', ADMIN_TOKEN: 'a' }, 'GATEWAY_TOKEN', /calls tools/);
  refuses({ HOST: '::', ROLES: 'manager', GATEWAY_TOKEN: 'g' }, 'ADMIN_TOKEN', /manages servers/);
  refuses({ ...open, ALLOW_OPEN: 'yes' }, 'ALLOW_OPEN', /expected one of 0, 1/);
  for (const fine of [
    { ...open, ADMIN_TOKEN: 'a', GATEWAY_TOKEN: 'g' },
    { ...open, ROLES: 'gateway', GATEWAY_TOKEN: 'g' },
    { ...open, ROLES: 'manager', ADMIN_TOKEN: 'a' },
    { ...open, ALLOW_OPEN: '1' },
    { HOST: '127.0.0.2' },
    { HOST: '::1' },
    { HOST: 'localhost' },
  ]) {
    assert.ok(readSettings(fine));
  }
});

test('open ports are named at the start, those that another process serves are not', () => {
  const warnings = (variables: Record<string, string>) => exposureWarnings(readSettings(variables));

  assert.is(warnings({ HOST: '0.0.0.0', ALLOW_OPEN: '1' }).length, 2);
  assert.match(
    warnings({ HOST: '0.0.0.0', ALLOW_OPEN: '1', ROLES: 'gateway' }).join(),
    /^HOST.*GATEWAY_TOKEN is not/,
  );
  assert.equal(warnings({ ALLOW_OPEN: '1' }), []);
});

test('trusted proxies are addresses or networks', () => {
  assert.equal(readSettings({ TRUSTED_PROXIES: '10.0.0.2, fd00::/8' }).trustedProxies, [
    '10.0.0.2',
    'fd00::/8',
  ]);
  for (const bad of ['proxy.example', '10.0.0.0/40', '10.0.0']) {
    refuses({ TRUSTED_PROXIES: `10.0.0.2,${bad}` }, 'TRUSTED_PROXIES', /IP addresses or networks/);
  }
});

test('a port is a whole number up to 65535', () => {
  for (const port of ['abc', '-1', '65536', '1.5', '0x10', '1e3', '3700 3701']) {
    refuses({ GATEWAY_PORT: port }, 'GATEWAY_PORT', /whole number from 0 to 65535/);
  }
  assert.is(readSettings({ GATEWAY_PORT: ' 0 ' }).gatewayPort, 0);
  refuses({ MANAGER_PORT: 'x' }, 'MANAGER_PORT', /whole number/);
});

test('two listeners need two ports', () => {
  refuses({ GATEWAY_PORT: '5000', MANAGER_PORT: '5000' }, 'GATEWAY_PORT', /another port than MANAGER_PORT/);
  assert.is(readSettings({ GATEWAY_PORT: '0', MANAGER_PORT: '0' }).managerPort, 0);
  assert.is(readSettings({ ROLES: 'gateway', GATEWAY_PORT: '3701' }).gatewayPort, 3701);
});

test('roles are manager, gateway or both', () => {
  assert.equal([...readSettings({ ROLES: 'gateway' }).roles], ['gateway']);
  assert.equal([...readSettings({ ROLES: ' gateway , manager ' }).roles], ['gateway', 'manager']);
  refuses({ ROLES: 'gateway,admin' }, 'ROLES', /manager, gateway/);
  refuses({ ROLES: ',' }, 'ROLES', /`manager`, `gateway` or both/);
});

test('DATABASE_URL is a Postgres address, and is never shown', () => {
  const url = 'postgres://u:SECRET@db:5432/x';

  assert.equal(readSettings({ DATABASE_URL: url }).database, { kind: 'postgres', connectionString: url });
  refuses({ DATABASE_URL: 'mysql://u:SECRET@db/x' }, 'DATABASE_URL', /^(?!.*SECRET).*postgres:\/\//);
});

test('POSTGRES_HOST needs user and password, and names the missing one', () => {
  const parts = { POSTGRES_HOST: 'db', POSTGRES_USER: 'u', POSTGRES_PASSWORD: 'p' };

  assert.equal(readSettings(parts).database, {
    kind: 'postgres',
    host: 'db',
    port: 5432,
    database: 'postgres',
    user: 'u',
    password: 'p',
  });
  refuses(
    { ...parts, POSTGRES_PASSWORD: '' },
    'POSTGRES_PASSWORD',
    /must be set because POSTGRES_HOST is set/,
  );
  refuses({ ...parts, POSTGRES_USER: '' }, 'POSTGRES_USER', /must be set/);
  refuses({ ...parts, POSTGRES_PORT: '0' }, 'POSTGRES_PORT', /from 1 to 65535/);
});

test('the default group’s name is a group name', () => {
  for (const name of ['../x', '.hidden', 'a/b', 'a..b', 'x'.repeat(65)]) {
    refuses({ DEFAULT_GROUP: name }, 'DEFAULT_GROUP', /expected a group name/);
  }
});

test('a host that could never match is refused at the start', () => {
  for (const host of ['https://ops.example', 'ops.example:8090', 'ops.example/', '*', '*.example', 'a b']) {
    refuses({ ALLOWED_HOSTS: `good.example,${host}` }, 'ALLOWED_HOSTS', /host names without port/);
  }
  assert.equal(readSettings({ ALLOWED_HOSTS: '[fe80::1],Ops.Example' }).allowedHosts, [
    '[fe80::1]',
    'Ops.Example',
  ]);
});

test('an origin that no browser sends is refused at the start', () => {
  for (const origin of [
    'ops.example',
    'https://ops.example/',
    'https://ops.example:443',
    '*',
    'null',
    'https://a@b',
  ]) {
    refuses({ ALLOWED_ORIGINS: origin }, 'ALLOWED_ORIGINS', /as browsers send them/);
  }
  const extension = 'chrome-extension://abcdefghij';
  assert.equal(readSettings({ ALLOWED_ORIGINS: extension }).allowedOrigins, [extension]);
});

test('public addresses are http or https, and lose their last slash', () => {
  assert.is(
    readSettings({ PUBLIC_GATEWAY_URL: 'https://x.example/mcp//' }).publicGatewayUrl,
    'https://x.example/mcp',
  );
  for (const url of ['x.example', 'ftp://x', 'http://', 'https:///x', 'http://a b']) {
    refuses({ PUBLIC_MANAGER_URL: url }, 'PUBLIC_MANAGER_URL', /http:\/\/ or https:\/\//);
  }
});

test('words are known words', () => {
  refuses({ LOG_LEVEL: 'loud' }, 'LOG_LEVEL', /debug, info, warn, error, silent/);
  refuses({ SECRETS_METHOD: 'file' }, 'SECRETS_METHOD', /env_file, external_manager/);
});

test('an external secrets manager needs address and token, and names the missing one', () => {
  const parts = { SECRETS_METHOD: 'external_manager', VAULT_ADDR: 'https://vault/', VAULT_TOKEN: 'hvs.t' };

  assert.equal(readSettings(parts).secrets, {
    method: 'external_manager',
    address: 'https://vault',
    token: 'hvs.t',
    path: 'secret/svc-mcp',
  });
  refuses({ ...parts, VAULT_ADDR: '' }, 'VAULT_ADDR', /must be set because SECRETS_METHOD/);
  refuses({ ...parts, VAULT_TOKEN: '' }, 'VAULT_TOKEN', /must be set because SECRETS_METHOD/);
});

test('an address or token that would be shown in errors is refused, without showing it', () => {
  const parts = { SECRETS_METHOD: 'external_manager', VAULT_ADDR: 'https://vault', VAULT_TOKEN: 'hvs.t' };

  refuses({ ...parts, VAULT_ADDR: 'https://u:SECRET@vault' }, 'VAULT_ADDR', /^(?!.*SECRET)/);
  refuses({ ...parts, VAULT_ADDR: 'https://vault?t=SECRET' }, 'VAULT_ADDR', /^(?!.*SECRET)/);
  refuses({ ...parts, VAULT_TOKEN: 'hvs.\nSECRET' }, 'VAULT_TOKEN', /^(?!.*SECRET)/);
});

test('VAULT_PATH is a mount and a path', () => {
  const parts = { SECRETS_METHOD: 'external_manager', VAULT_ADDR: 'https://vault', VAULT_TOKEN: 'hvs.t' };

  for (const path of ['secret', '/secret/x', 'secret/', 'a//b', 'a/../b', 'a/b?version=1', 'a/b c']) {
    refuses({ ...parts, VAULT_PATH: path }, 'VAULT_PATH', /such as secret\/svc-mcp/);
  }
  const { secrets } = readSettings({ ...parts, VAULT_PATH: 'team/kv/data/svc' });
  assert.is(secrets.path, 'team/kv/data/svc');
});

test('limits have bounds', () => {
  refuses({ MAX_BODY_BYTES: '10' }, 'MAX_BODY_BYTES', /from 1024/);
  refuses({ SESSION_TTL_SECONDS: '0' }, 'SESSION_TTL_SECONDS', /from 1 /);
  refuses({ SHUTDOWN_SECONDS: '-1' }, 'SHUTDOWN_SECONDS', /from 0 /);
  refuses({ DRAIN_SECONDS: '3601' }, 'DRAIN_SECONDS', /to 3600/);
  refuses({ CALL_TIMEOUT_MS: 'Infinity' }, 'CALL_TIMEOUT_MS', /whole number/);
  refuses({ MAX_CALLS_PER_SESSION: '0' }, 'MAX_CALLS_PER_SESSION', /from 1 /);
  refuses({ TOOLS_PAGE_SIZE: '-1' }, 'TOOLS_PAGE_SIZE', /from 0 /);
});

test('the engine is where DOCKER_HOST says, if that can be an address', () => {
  for (const address of ['unix:///run/docker.sock', 'tcp://engine:2375', '/run/docker.sock']) {
    assert.is(readSettings({ DOCKER_HOST: address }).dockerHost, address);
  }
  for (const address of ['docker', 'ssh://host', 'unix://']) {
    assert.throws(() => readSettings({ DOCKER_HOST: address }), /^DOCKER_HOST: /, address);
  }
});

test('docker’s configuration file is where docker looks for it, or where REGISTRY_CONFIG says', () => {
  const places: [Record<string, string>, string][] = [
    [{ HOME: '/home/me' }, '/home/me/.docker/config.json'],
    [{ HOME: '/home/me', DOCKER_CONFIG: '/etc/docker-me' }, '/etc/docker-me/config.json'],
    [{ DOCKER_CONFIG: '/etc/docker-me', REGISTRY_CONFIG: '/run/registries.json' }, '/run/registries.json'],
  ];
  for (const [variables, path] of places) assert.is(readSettings(variables).registryConfig, path);
});

test('credentials of registries are secrets, named one by one', () => {
  const { registryCredentials } = readSettings({
    REGISTRY_CREDENTIALS: 'GHCR.io=GHCR_LOGIN, registry.example:5000=OTHER,index.docker.io=HUB',
  });

  assert.equal(
    [...registryCredentials],
    [
      ['ghcr.io', 'GHCR_LOGIN'],
      ['registry.example:5000', 'OTHER'],
      ['docker.io', 'HUB'],
    ],
  );
  for (const bad of [
    'ghcr.io',
    'ghcr.io=',
    '=LOGIN',
    'https://ghcr.io=LOGIN',
    'ghcr.io/acme=LOGIN',
    'a=b=c',
  ]) {
    refuses({ REGISTRY_CREDENTIALS: bad }, 'REGISTRY_CREDENTIALS', /registries and names of secrets/);
  }
});

test('other processes may reach the manager by another address than people do', () => {
  const { internalManagerUrl } = readSettings({ INTERNAL_MANAGER_URL: 'http://manager:3701/' });

  assert.is(internalManagerUrl, 'http://manager:3701');
});

test.run();
