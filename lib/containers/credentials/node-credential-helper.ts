import { execFile } from 'node:child_process';
import { Failure } from '../../failure.ts';
import { type RegistryAuth, registryAuth, serverAddress } from './registry-credentials.ts';

/**
 * Docker's credential helpers: programs `docker-credential-<name>` that read a registry's name from standard input and
 * print `{"Username", "Secret"}` (github.com/docker/docker-credential-helpers). The output of a helper is never
 * repeated, since even the output of a failed helper may be the secret.
 */

/** Undefined without credentials for this registry. Rejects with a failure that names the helper's fault. */
export type AskHelper = (name: string, registry: string) => Promise<RegistryAuth | undefined>;

const limitMs = 10_000;
const maxBytes = 65_536;
const notFound = /credentials not found/i;

/** Helpers must not see our own passwords. */
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
  /** The helper's fault, as the end of a sentence; undefined when it succeeded. */
  readonly problem: string | undefined;
}

function run(program: string, input: string, env: NodeJS.ProcessEnv, waitMs: number): Promise<HelperRun> {
  return new Promise((resolve) => {
    const options = { env, timeout: waitMs, killSignal: 'SIGKILL', maxBuffer: maxBytes } as const;
    const child = execFile(program, ['get'], options, (error, output) => {
      resolve({ output, problem: error ? problemOf(error, waitMs) : undefined });
    });
    // A helper that ends without reading is reported by its exit code.
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
