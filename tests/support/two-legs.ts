import type { AddressInfo } from 'node:net';
import { Response as FastResponse } from '@whatwg-node/fetch';
import type { Test } from 'uvu';
import { createGuard, type Guard } from '../../lib/http/guard.ts';
import { useResponseClass } from '../../lib/http/responses.ts';
import { failureObject } from '../../lib/json-rpc/write.ts';
import { createNodeListener, type NodeListener } from '../../lib/server/listeners/node-listener.ts';
import { createGatewayFixture, type FixtureOptions, type GatewayFixture } from './gateway-fixture.ts';

/**
 * Runs a case twice, since the two ways into the service differ in classes and timing: against the Fetch handler
 * as an edge host calls it, and through the Node listener on a socket, with the response class `server.ts` uses.
 */
export interface Leg extends GatewayFixture {
  /** As the global `fetch`; `path` is on the gateway. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The listener's port; undefined on the leg without a socket. */
  readonly port: number | undefined;
}

export function onBothLegs(
  test: Test,
  name: string,
  run: (leg: Leg) => Promise<void>,
  options: FixtureOptions = {},
): void {
  test(`${name} (fetch)`, () => onFetchLeg(run, options));
  test(`${name} (node)`, () => onNodeLeg(run, options));
}

async function onFetchLeg(run: (leg: Leg) => Promise<void>, options: FixtureOptions): Promise<void> {
  useResponseClass(globalThis.Response);
  const fixture = createGatewayFixture(options);
  try {
    await run({
      ...fixture,
      fetch: (path, init) => fixture.handle(new Request(`http://127.0.0.1:3700${path}`, init)),
      port: undefined,
    });
  } finally {
    fixture.streams.closeAll();
  }
}

/** @param guard The gateway's usual one when absent. */
export async function onNodeLeg(
  run: (leg: Leg & { readonly port: number; readonly listener: NodeListener }) => Promise<void>,
  options: FixtureOptions = {},
  guard: Guard = usualGuard(),
): Promise<void> {
  useResponseClass(FastResponse);
  const fixture = createGatewayFixture(options);
  const listener = createNodeListener({ handle: fixture.handle, guard, refusalBody: failureObject });
  const { server } = listener;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const onSocket = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
    await run({ ...fixture, fetch: onSocket, port, listener });
  } finally {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    fixture.streams.closeAll();
    useResponseClass(globalThis.Response);
  }
}

export function usualGuard(changes: Partial<Parameters<typeof createGuard>[0]> = {}): Guard {
  return createGuard({
    originPolicy: 'same-host-or-loopback',
    allowedHosts: [],
    allowedOrigins: [],
    token: undefined,
    checksFetchSite: false,
    ...changes,
  });
}
