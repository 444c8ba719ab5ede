import { Failure } from '../failure.ts';
import { assertWithinLimits } from '../json/json-limits.ts';
import { isServerName, serverNameRule } from '../names/names.ts';
import type { ConfigFile } from './config-files.ts';
import { parseServerConfig, toDocument } from './parse-server-config.ts';
import { referencedNames } from './references.ts';
import type { ServerConfig } from './server-config.ts';

/** The text of one `configs/<name>.json`, both ways. The file's name is the server's identity. */

/** Never throws: whatever is wrong with the file is its `problem`. */
export function parseConfigFile(name: string, text: string, callTimeoutMs?: number): ConfigFile {
  try {
    return { config: parse(name, text, callTimeoutMs) };
  } catch (error) {
    const problem = error instanceof Failure ? error.message : 'The file is not valid JSON.';
    return { problem, references: referencedNames([text]) };
  }
}

export function printConfigFile(config: ServerConfig): string {
  return `${JSON.stringify(toDocument(config), undefined, 2)}\n`;
}

function parse(name: string, text: string, callTimeoutMs: number | undefined): ServerConfig {
  if (!isServerName(name)) {
    throw new Failure('invalid_params', `The name of the file is not a server name: ${serverNameRule}.`);
  }
  assertWithinLimits(text);
  const config = parseServerConfig(JSON.parse(text.replace(/^\uFEFF/, '')), callTimeoutMs);
  if (config.name !== name) {
    throw new Failure('invalid_params', 'Field `name`: expected the name of the file.');
  }
  return config;
}
