/** The address of the engine, as `DOCKER_HOST` names it: a socket of this machine, or a port without encryption. */
export type DockerHost =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number; readonly protocol: 'http' };

/** Undefined when the text is not a usable address. */
export function parseDockerHost(text: string): DockerHost | undefined {
  if (text.startsWith('/')) return { socketPath: text };
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(text);
  if (protocol === 'unix:' || protocol === 'npipe:') {
    return hostname === '' && pathname.length > 1 ? { socketPath: pathname } : undefined;
  }
  if ((protocol !== 'tcp:' && protocol !== 'http:') || hostname === '') return undefined;
  return { host: hostname, port: port === '' ? 2375 : Number(port), protocol: 'http' };
}
