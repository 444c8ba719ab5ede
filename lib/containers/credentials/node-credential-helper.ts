import { execFile } from 'node:child_process';
import { Failure } from '../../failure.ts';
import { type RegistryAuth, registryAuth, serverAddress } from './registry-credentials.ts';

/**
 * Docker's credential helpers: programs `docker-credential-<name>` that are told a registry on standard input and print
 * `{"Username", "Secret"}` (github.com/docker/docker-credential-helpers). Nothing that one prints is repeated anywhere,
 * since it may be the secret also when it fails.
 */

/** Undefined: it knows nothing of this registry. Rejects with a failure that says what is wrong with it. */
export type AskHelper = (name: string, registry: string) => Promise<RegistryAuth | undefined>;

const limitMs = 10_000;
const maxBytes = 65_536;
const notFound = /credentials not found/i;

/** Our own passwords are none of a helper's business. */
const ours = /^(ADMIN_TOKEN|GATEWAY_TOKEN|VAULT_TOKEN|POSTGRES_PASSWORD|DATABASE_URL)$/;

export function createAskHelper(environment: NodeJS.ProcessEnv, waitMs = limitMs): AskHelper {
  const entries = Object.entries(environment).filter(([name]) => !ours.test(name));
  const env = Object.fromEntries(entries);
  return async (name, registry) => {
    if (!/^[a-zA-Z0-9_.-]+$/.test(name)) {
      throw helperFailed('Docker’s configuration file names a credential helper that cannot be one.');
    }
    const { output, problem } = await run(`docker-credential-${name}`, serverAddress(registry), env, waitMs);
    if (problem !== undefined && notFound.test(output)) return undefined;
    if (problem !== undefined)
      throw helperFailed(`The credential helper \`docker-credential-${name}\` ${problem}.`);
    const { Username: username, Secret: secret } = parsed(output);
    if (typeof username !== 'string' || typeof secret !== 'string') {
      throw helperFailed(`The credential helper \`docker-credential-${name}\` answered with something else.`);
    }
    return registryAuth(registry, username, secret);
  };
}

export const askCredentialHelper: AskHelper = (name, registry) =>
  createAskHelper(process.env)(name, registry);

interface HelperRun {
  readonly output: string;
  /** What it did, as the end of a sentence; undefined: it went well. */
  readonly problem: string | undefined;
}

function run(program: string, input: string, env: NodeJS.ProcessEnv, waitMs: number): Promise<HelperRun> {
  return new Promise((resolve) => {
    const options = { env, timeout: waitMs, killSignal: 'SIGKILL', maxBuffer: maxBytes } as const;
    const child = execFile(program, ['get'], options, (error, output) => {
      resolve({ output, problem: error ? problemOf(error, waitMs) : undefined });
    });
    // One that ends without reading is told of by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

function problemOf(error: { code?: number | string | null; killed?: boolean }, waitMs: number): string {
  if (error.code === 'ENOENT') return 'is not installed where this service runs';
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'answered with more than 64 KiB';
  if (error.killed) return `did not answer within ${Math.round(waitMs / 1000)} s`;
  return typeof error.code === 'number' ? `failed with exit code ${error.code}` : 'cannot be started';
}

function parsed(text: string): { readonly Username?: unknown; readonly Secret?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}

function helperFailed(sentence: string): Failure {
  return new Failure('storage_failed', sentence);
}
