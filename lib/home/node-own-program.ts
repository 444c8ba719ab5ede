import { join } from 'node:path';
import type { ServerConfig } from '../config/server-config.ts';
import { sourcesFolder } from './node-home.ts';

/** The package, and its command. */
export const programName = 'svc-mcp';

/**
 * In a server's config the command `svc-mcp` is this program on the Node that runs it, wherever both of them are: neither
 * need be in PATH, and an update may move them.
 */
export function withOwnProgram(config: ServerConfig): ServerConfig {
  if (config.command !== programName) return config;
  const program = join(sourcesFolder, 'bin', 'svc-mcp.js');
  return { ...config, command: process.execPath, args: [program, ...config.args] };
}
