/**
 * The image that documents name, `mcp/memory:latest`, where it can be had without a registry of the world: it is here, or
 * the test bed's own stands in for it.
 */
import { spawnSync } from 'node:child_process';

const image = 'mcp/memory:latest';
const standIn = `127.0.0.1:${process.env.TESTBED_PORT ?? 5555}/mcp/memory:1`;

/** @returns why there is none; undefined when it is there. */
export function memoryImageProblem(): string | undefined {
  if (!docker('info')) return 'there is no container engine here';
  if (docker('image', 'inspect', image)) return undefined;
  const isThere = docker('image', 'inspect', standIn) || docker('pull', '--quiet', standIn);
  if (!isThere || !docker('tag', standIn, image)) return `neither ${image} nor the test bed's image is here`;
  process.once('exit', () => docker('rmi', image));
  return undefined;
}

function docker(...args: readonly string[]): boolean {
  return spawnSync('docker', args, { stdio: 'ignore', timeout: 30_000 }).status === 0;
}
