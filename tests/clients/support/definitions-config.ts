import { writeFileSync } from 'node:fs';
import { type Config, stdioConfig } from '../../support/test-servers.ts';

/** Raw JSON texts. */
export interface Definitions {
  readonly tools?: readonly string[];
  readonly prompts?: readonly string[];
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
}

/** A server that lists them as they are. @param path Of a file to be written for it. */
export function definitionsConfig(name: string, path: string, definitions: Definitions): Config {
  writeFileSync(path, JSON.stringify(definitions));
  return stdioConfig(name, ['tests/clients/servers/definitions-server.mjs', path]);
}
