/**
 * Why an engine cannot be spoken to, from the operating system's word for it: each with what is to be done. The address
 * is the one that was dialled, which holds no user info.
 */
interface DialError {
  readonly code?: string;
  /** Of a socket file its path. */
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

export const engineSilent = 'The container engine does not answer.';

export function engineProblem(cause: unknown): string {
  const { code, address, port, hostname } = (cause ?? {}) as DialError;
  const where = port === undefined ? (address ?? 'its socket') : `${address}:${port}`;
  if (code === 'EACCES' || code === 'EPERM') {
    return (
      'This process may not use the socket of the container engine (permission denied): add its user to the group ' +
      'that owns the socket; in the stack, run `make up` once, which finds that group (`DOCKER_GID` in `.env`).'
    );
  }
  if (code === 'ENOENT') {
    return `There is no socket of a container engine at ${where}: start the engine, or say where it listens with \`DOCKER_HOST\`.`;
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTSOCK') {
    return `No container engine listens at ${where}: start it, or say where it listens with \`DOCKER_HOST\`.`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `The host of the container engine, ${hostname ?? 'in `DOCKER_HOST`'}, is not known: look at \`DOCKER_HOST\`.`;
  }
  return engineSilent;
}
