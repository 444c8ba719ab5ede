import { SettingError } from './setting-reader.ts';

/** The settings that open ports (`settings.ts`). */
interface Exposure {
  readonly host: string;
  readonly roles: ReadonlySet<'manager' | 'gateway'>;
  readonly adminToken: string | undefined;
  readonly gatewayToken: string | undefined;
}

/**
 * A port that everybody on the network reaches and that asks for nothing is opened only by somebody who says so
 * (threats, T3).
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

/** What is said at the start about ports that are open by wish. */
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

/** Whether only this machine reaches what is bound to that address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
