import { registryName } from '../config/image-reference.ts';
import { parseDockerHost } from '../containers/docker/docker-host.ts';
import { isMountPattern } from '../containers/mounts/mount-rules.ts';
import type { DatabaseTarget } from '../database/database.ts';
import { isHostName } from '../http/guard.ts';
import { isOrigin } from '../http/origin.ts';
import { type ServiceLogLevel, serviceLogLevels } from '../log.ts';
import { isGroupName } from '../names/names.ts';
import { isVaultPath, type SecretsTarget } from '../secrets/secrets.ts';
import { assertNotExposed } from './exposure.ts';
import { type LimitSettings, readLimits } from './limit-settings.ts';
import {
  createSettingReader,
  type EnvironmentVariables,
  SettingError,
  type SettingReader,
} from './setting-reader.ts';

/** Every setting of the service (docs/api.md, Settings), read once at start and checked there. */
export interface Settings extends LimitSettings {
  readonly host: string;
  readonly managerPort: number;
  readonly gatewayPort: number;
  readonly roles: ReadonlySet<Role>;
  readonly database: DatabaseTarget;
  /** No folder is made or needed: groups and servers come from the database (docs/decisions/0029). */
  readonly isFolderless: boolean;
  readonly dataDir: string;
  readonly groupsDir: string;
  readonly configsDir: string;
  readonly defaultGroup: string;
  readonly publicGatewayUrl: string | undefined;
  readonly publicManagerUrl: string | undefined;
  /** Where other processes reach this process's manager port, if that is another address than the one for people. */
  readonly internalManagerUrl: string | undefined;
  /** How people type this service's `svc-mcp` command in a terminal; undefined: the program by its path. */
  readonly gatewayCommand: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly adminToken: string | undefined;
  readonly gatewayToken: string | undefined;
  readonly toolsPageSize: number;
  readonly allowedUpstreams: readonly string[];
  readonly secrets: SecretsTarget;
  /** Undefined: the machine's default socket. */
  readonly dockerHost: string | undefined;
  readonly allowedImages: readonly string[];
  /** Path of Docker's configuration file; undefined: neither a setting nor `HOME` gives one. */
  readonly registryConfig: string | undefined;
  /** Registry → name of the secret with its credentials. */
  readonly registryCredentials: ReadonlyMap<string, string>;
  /** Paths of the engine's host and volumes that servers may mount; none: as in `mount-rules.ts`. */
  readonly allowedMounts: readonly string[];
  /** Interval of the requests to registries for newer images of servers; 0: never. */
  readonly updateCheckHours: number;
  readonly logLevel: ServiceLogLevel;
}

export type Role = 'manager' | 'gateway';

/** @throws SettingError with the name of the variable, the expected value and the remedy. */
export function readSettings(variables: EnvironmentVariables, isFolderless = false): Settings {
  const read = createSettingReader(variables);
  const dataDir = read.text('DATA_DIR', '.data');
  const settings: Settings = {
    host: read.text('HOST', '127.0.0.1'),
    managerPort: read.integer('MANAGER_PORT', 3701, 0, 65_535),
    gatewayPort: read.integer('GATEWAY_PORT', 3700, 0, 65_535),
    roles: new Set(read.words('ROLES', ['manager', 'gateway'], ['manager', 'gateway'] as const)),
    database: readDatabase(read, dataDir),
    isFolderless,
    dataDir,
    groupsDir: read.text('GROUPS_DIR', 'groups'),
    configsDir: read.text('CONFIGS_DIR', 'configs'),
    defaultGroup: read.text('DEFAULT_GROUP', 'svc-global'),
    publicGatewayUrl: read.url('PUBLIC_GATEWAY_URL'),
    publicManagerUrl: read.url('PUBLIC_MANAGER_URL'),
    internalManagerUrl: read.url('INTERNAL_MANAGER_URL'),
    gatewayCommand: read.optionalText('GATEWAY_COMMAND'),
    allowedHosts: read.checkedList(
      'ALLOWED_HOSTS',
      isHostName,
      'host names without port, such as ops.example',
    ),
    allowedOrigins: read.checkedList(
      'ALLOWED_ORIGINS',
      isOrigin,
      'origins as browsers send them, such as https://ops.example',
    ),
    adminToken: read.optionalText('ADMIN_TOKEN'),
    gatewayToken: read.optionalText('GATEWAY_TOKEN'),
    toolsPageSize: read.integer('TOOLS_PAGE_SIZE', 0, 0, 10_000),
    allowedUpstreams: read.list('ALLOWED_UPSTREAMS'),
    secrets: readSecrets(read, dataDir),
    dockerHost: readDockerHost(read),
    allowedImages: read.list('ALLOWED_IMAGES'),
    ...readRegistries(read),
    allowedMounts: read.checkedList(
      'ALLOWED_MOUNTS',
      isMountPattern,
      'absolute paths without `..` and names of volumes, such as /srv/data',
    ),
    updateCheckHours: read.integer('UPDATE_CHECK_HOURS', 24, 0, 8_760),
    logLevel: read.word('LOG_LEVEL', 'info', serviceLogLevels),
    ...readLimits(read),
  };
  assertConsistent(settings);
  assertNotExposed(settings, read.word('ALLOW_OPEN', '0', ['0', '1'] as const) === '1');
  return settings;
}

function readDockerHost(read: SettingReader): string | undefined {
  const address = read.optionalText('DOCKER_HOST');
  if (address === undefined || parseDockerHost(address) !== undefined) return address;
  throw new SettingError(
    'DOCKER_HOST',
    'expected an address such as unix:///var/run/docker.sock or tcp://host:2375',
  );
}

/** The default path of Docker's configuration file is docker's own (docs.docker.com/reference/cli/docker). */
function readRegistries(read: SettingReader): Pick<Settings, 'registryConfig' | 'registryCredentials'> {
  const folder = read.optionalText('DOCKER_CONFIG');
  const home = read.optionalText('HOME');
  const ofDocker = folder ?? (home === undefined ? undefined : `${home}/.docker`);
  const pairs = read.checkedList(
    'REGISTRY_CREDENTIALS',
    (pair) => /^[A-Za-z0-9.-]+(:[0-9]{1,5})?=[A-Za-z_][A-Za-z0-9_]*$/.test(pair),
    'registries and names of secrets, such as ghcr.io=GHCR_LOGIN',
  );
  return {
    registryConfig: read.optionalText('REGISTRY_CONFIG') ?? (ofDocker && `${ofDocker}/config.json`),
    registryCredentials: new Map(
      pairs.map((pair) => pair.split('=')).map(([host = '', name = '']) => [registryName(host), name]),
    ),
  };
}

function readDatabase(read: SettingReader, dataDir: string): DatabaseTarget {
  const connectionString = read.optionalText('DATABASE_URL');
  if (connectionString !== undefined) {
    if (!/^postgres(ql)?:\/\//.test(connectionString)) {
      throw new SettingError('DATABASE_URL', 'expected an address that starts with postgres://');
    }
    return { kind: 'postgres', connectionString };
  }
  const host = read.optionalText('POSTGRES_HOST');
  if (host === undefined) return { kind: 'pglite', directory: `${dataDir}/database` };
  return {
    kind: 'postgres',
    host,
    port: read.integer('POSTGRES_PORT', 5432, 1, 65_535),
    database: read.text('POSTGRES_DB', 'postgres'),
    user: read.required('POSTGRES_USER', 'POSTGRES_HOST is set'),
    password: read.required('POSTGRES_PASSWORD', 'POSTGRES_HOST is set'),
  };
}

function readSecrets(read: SettingReader, dataDir: string): SecretsTarget {
  const method = read.word('SECRETS_METHOD', 'env_file', ['env_file', 'external_manager'] as const);
  if (method === 'env_file') return { method, path: read.text('SECRETS_FILE', `${dataDir}/secrets.env`) };
  const because = 'SECRETS_METHOD is external_manager';
  read.required('VAULT_ADDR', because);
  const address = read.url('VAULT_ADDR') ?? '';
  const { username, password, search, hash } = new URL(address);
  if (username + password + search + hash !== '') {
    throw new SettingError('VAULT_ADDR', 'expected an address without user, password, `?` and `#`');
  }
  const token = read.required('VAULT_TOKEN', because);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new SettingError('VAULT_TOKEN', 'expected letters, digits and signs without blanks');
  }
  const path = read.text('VAULT_PATH', 'secret/svc-mcp');
  if (!isVaultPath(path)) {
    throw new SettingError('VAULT_PATH', 'expected a mount and a path in it, such as secret/svc-mcp');
  }
  return { method, address, token, path };
}

function assertConsistent(settings: Settings): void {
  if (!isGroupName(settings.defaultGroup)) {
    throw new SettingError(
      'DEFAULT_GROUP',
      'expected a group name: letters, digits, dots, dashes and underscores',
    );
  }
  if (settings.roles.size === 0) {
    throw new SettingError('ROLES', 'expected `manager`, `gateway` or both, separated by a comma');
  }
  const { managerPort, gatewayPort } = settings;
  if (settings.roles.size === 2 && managerPort === gatewayPort && managerPort !== 0) {
    throw new SettingError('GATEWAY_PORT', 'expected another port than MANAGER_PORT');
  }
}
