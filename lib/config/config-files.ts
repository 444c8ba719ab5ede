import { Failure } from '../failure.ts';
import { assertWithinLimits } from '../json/parse-json.ts';
import { isServerName, serverNameRule } from '../names/names.ts';
import { parseServerConfig, toDocument } from './parse-server-config.ts';
import { referencedNames } from './references.ts';
import type { ServerConfig } from './server-config.ts';

/**
 * The folder of registration configs: one `<name>.json` per server. The folder decides which servers exist, and the name
 * of the file is the server's identity.
 */
export interface ConfigFiles {
  /**
   * By name of the file, without `.json`. Undefined while the folder is missing or cannot be read: the absence of files
   * then means nothing.
   */
  readAll(): Promise<ReadonlyMap<string, ConfigFile> | undefined>;
  /** Identity of the folder, another one when another folder took its place; undefined while there is none. */
  folder(): Promise<string | undefined>;
  /** Fails with `storage_failed`. */
  createFolder(): Promise<void>;
  /**
   * Fails with `config_read_only` where the server's file is kept elsewhere: a link within the folder, or a folder that is
   * mounted read-only.
   * @param config What is to be written; absent: the file is to be removed.
   * @param secrets Names of the variables that the config refers to and that have no value yet.
   */
  assertWritable(name: string, config?: ServerConfig, secrets?: readonly string[]): Promise<void>;
  /** Creates or replaces the server's file; it is durable when this resolves. Fails with `storage_failed`, `config_read_only`. */
  write(config: ServerConfig): Promise<Undo>;
  /** Fails with `storage_failed`, `config_read_only`; does nothing when there is no such file. */
  remove(name: string): Promise<Undo>;
  /** Calls `onChange` when watching begins, soon after any file changed, and from time to time without a change. */
  watch(onChange: () => void): Promise<{ close(): void }>;
}

export type ConfigFile =
  | { readonly config: ServerConfig }
  /** Why the file cannot be used, with the references that can be read in it. */
  | { readonly problem: string; readonly references: readonly string[] };

/** Restores the previous content, byte for byte. */
export type Undo = () => Promise<void>;

/** Never throws: an error in the file becomes its `problem`. */
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

/**
 * Tells whoever keeps the file what to put there, or to delete it. The text refers to secrets by their names; those in
 * `secrets` need values, which are not repeated.
 */
export function configReadOnly(
  name: string,
  config?: ServerConfig,
  secrets: readonly string[] = [],
): Failure {
  const file = `${name}.json`;
  const values =
    secrets.length === 0
      ? ''
      : `, and a value for ${secrets.map((secret) => `\`${secret}\``).join(', ')} into the secrets`;
  const act =
    config === undefined ? `delete \`${file}\` there` : `put \`${file}\` there with the text given here`;
  const details = { file, ...(config && { text: printConfigFile(config), secrets }) };
  const sentence = `The config file of server \`${name}\` is managed elsewhere: ${act}${values}.`;
  return new Failure('config_read_only', sentence, { details });
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
