import { withTimeout } from '../../../lib/async/wait.ts';
import type { ServerData } from '../../../lib/containers/store/container-data.ts';
import { sha256 } from '../../../lib/text/sha256.ts';
import type { ManagerContext } from '../context.ts';

/** An engine compares a layer with its image by walking through it. */
const timeoutMs = 3_000;

/**
 * What goes with the server when it is deleted (its volumes, and the files in its container) and what stays (mounts).
 * Undefined for what is no container, and while the engine does not tell.
 */
export async function serverDataRecord(
  name: string,
  { catalog, containers }: Pick<ManagerContext, 'catalog' | 'containers'>,
): Promise<Record<string, unknown> | undefined> {
  if (catalog.server(name)?.config.image === undefined || containers === undefined) return undefined;
  const asked: Promise<ServerData | undefined> = containers.data(name).catch(() => undefined);
  const data = await withTimeout(asked, timeoutMs, () => undefined);
  if (data === undefined) return undefined;
  return {
    volumes: await Promise.all(
      data.volumes.map(async ({ path, volume, sessionId }) => ({
        path,
        volume,
        session: sessionId === undefined ? undefined : await sessionMark(sessionId),
      })),
    ),
    mounts: data.mounts.map(({ type, source, path, readOnly }) => ({
      ...{ type, source, path },
      read_only: readOnly,
    })),
    layer: data.layer,
  };
}

/** As in the names of a session's containers; whoever knows the id itself speaks as the session. */
async function sessionMark(sessionId: string): Promise<string> {
  return (await sha256(sessionId)).slice(0, 8);
}
