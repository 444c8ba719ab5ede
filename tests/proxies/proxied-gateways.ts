/** A manager and three gateways without folders on one Postgres, behind a real proxy. */
import { startFolderlessGateway, untilReady } from '../conformance/replicas.ts';
import { type RunningService, type RunServiceOptions, runService } from '../support/run-service.ts';
import type { ProxyName } from './programs.ts';
import { type RunningProxy, startProxy } from './running-proxy.ts';

export interface ProxiedGateways {
  readonly manager: RunningService;
  /** Three, without the manager, which agents do not reach. */
  readonly gateways: readonly RunningService[];
  readonly proxy: RunningProxy;
  /** Address of a group's endpoint at the proxy. */
  groupUrl(group?: string): string;
  remove(): Promise<void>;
}

export interface ProxiedGatewaysOptions extends RunServiceOptions {
  readonly database: string;
  readonly name: ProxyName;
  readonly program: string;
}

export async function startProxiedGateways(options: ProxiedGatewaysOptions): Promise<ProxiedGateways> {
  const manager = await runService({ ...options, env: { ...options.env, ROLES: 'manager' }, readyMs: 0 });
  await untilReady(manager.managerUrl);
  const gateways: RunningService[] = [];
  while (gateways.length < 3)
    gateways.push(await startFolderlessGateway(manager, { env: options.env ?? {} }));
  const ports = gateways.map(({ gatewayUrl }) => Number(new URL(gatewayUrl).port));
  const proxy = await startProxy(options.name, options.program, ports);
  return {
    manager,
    gateways,
    proxy,
    groupUrl: (group = 'svc-global') => `${proxy.url}/v0/groups/${group}/mcp`,
    async remove() {
      await proxy.stop();
      await Promise.all(gateways.map((gateway) => gateway.remove()));
      await manager.remove();
    },
  };
}
