import { SettingError } from './setting-reader.ts';

/** The settings that open ports (`settings.ts`). */
interface Exposure {
  readonly host: string;
  readonly roles: ReadonlySet<'manager' | 'gateway'>;
  readonly adminToken: string | undefined;
  readonly gatewayToken: string | undefined;
}

/**
 * Refuses to open a port without a token to the network, unless `ALLOW_OPEN` says so (SECURITY.md, What is trusted).
 * @param isWanted `ALLOW_OPEN` is 1.
 * @throws SettingError
 */
export function assertNotExposed(settings: Exposure, isWanted: boolean): void {
  if (isWanted || isLoopback(settings.host)) return;
  for (const { name, act } of missingTokens(settings)) {
    const remedy = 'set it, or ALLOW_OPEN=1 where something else keeps strangers away';
    throw new SettingError(name, `must be set because HOST is not loopback, and ${act}; ${remedy}`);
  }
}

/** Warnings for the log at start about ports that `ALLOW_OPEN` leaves open. */
export function exposureWarnings(settings: Exposure): string[] {
  if (isLoopback(settings.host)) return [];
  return missingTokens(settings).map(
    ({ name, act }) => `HOST is not loopback and ${name} is not set (ALLOW_OPEN=1): ${act}`,
  );
}

function missingTokens({ roles, adminToken, gatewayToken }: Exposure) {
  const manager = { name: 'ADMIN_TOKEN', act: 'anyone who reaches the port manages servers' };
  const gateway = { name: 'GATEWAY_TOKEN', act: 'anyone who reaches the port calls tools' };
  return [
    ...(roles.has('manager') && adminToken === undefined ? [manager] : []),
    ...(roles.has('gateway') && gatewayToken === undefined ? [gateway] : []),
  ];
}

/** Whether a port that is bound to the address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
