import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { JsonProblem, parseJsonc } from '../clients/parse-jsonc.ts';
import { Failure } from '../failure.ts';
import { isObject } from '../json/parse-json.ts';
import { CliFailure } from './cli-failure.ts';

/** As for every configuration file. */
const maxFileBytes = 4 * 1024 * 1024;

/**
 * The JSON object in a file that is named on the command line; `-` is standard input. Opening never waits for the other
 * end of a pipe, and only regular files are read, so that an endless device cannot fill the memory.
 */
export async function readJsonFile(path: string): Promise<Record<string, unknown>> {
  return parseObject(path, await readTextFile(path));
}

/** Reads a file in the same way, as text that may be no JSON. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = path === '-' ? await readInput() : await readBounded(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notJson(sourceOf(path));
  }
}

/** @param path Source of the text, for sentences. */
export function parseObject(path: string, text: string): Record<string, unknown> {
  const source = sourceOf(path);
  const value = parse(source, text);
  if (!isObject(value)) {
    throw new CliFailure(
      `${source} must hold one JSON object, such as {"name": "files", "transport": "stdio", …}.`,
    );
  }
  return value;
}

async function readInput(): Promise<Uint8Array> {
  if (process.stdin.isTTY)
    throw new CliFailure('Nothing is on standard input: end the line with `< file.json`.');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    parts.push(part);
    size += part.length;
    if (size > maxFileBytes) throw tooLarge('Standard input');
  }
  return Buffer.concat(parts);
}

async function readBounded(path: string): Promise<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await regularFile(path, file);
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure(`Cannot read ${path}: ${whyUnreadable(error)}.`);
  } finally {
    await file?.close();
  }
}

async function regularFile(path: string, file: FileHandle): Promise<{ size: number }> {
  const stats = await file.stat();
  if (stats.isDirectory()) throw new CliFailure(`${path} is a folder; name one JSON file in it.`);
  if (!stats.isFile()) throw new CliFailure(`${path} is not a regular file; save the JSON in a file first.`);
  if (stats.size > maxFileBytes) throw tooLarge(path);
  return stats;
}

function tooLarge(path: string): CliFailure {
  return new CliFailure(`${path} is larger than 4 MiB; that is no configuration.`);
}

function parse(source: string, text: string): unknown {
  try {
    return parseJsonc(text);
  } catch (error) {
    if (error instanceof Failure) throw new CliFailure(`${source}: ${error.message}`);
    throw error instanceof JsonProblem
      ? new CliFailure(`${source} is not valid JSON: ${error.message}.`)
      : notJson(source);
  }
}

function notJson(source: string): CliFailure {
  return new CliFailure(`${source} is not valid JSON; check it with an editor or \`node -p\`.`);
}

/** The name of the source in sentences. */
export function sourceOf(path: string): string {
  return path === '-' ? 'Standard input' : path;
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return typeof code === 'string' ? code : 'it is not a path';
}
