import { Failure } from '../failure.ts';
import { isObject } from '../json/parse-json.ts';

/**
 * Requests to HashiCorp Vault or OpenBao, which speak the same HTTP API: the token goes into a header, every answer is
 * a small JSON object, a refusal carries `errors`. Redirects are not followed: `fetch` would send the token to any host
 * that they name. The texts of the manager and of `fetch` are not passed on, since both may repeat the request; all
 * sentences are our own.
 */
export interface VaultClient {
  /**
   * Resolves for every HTTP status.
   * @param path Below `/v1/`, such as `secret/data/svc-mcp`.
   * @throws Failure `storage_failed` when there is no answer within 5 s, or none that fits the API.
   */
  send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<VaultAnswer>;
}

export interface VaultAnswer {
  readonly status: number;
  /** The member `data` or, of a renewal, `auth`. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly errors: readonly string[];
}

export interface VaultAddress {
  /** Without a trailing slash. */
  readonly address: string;
  readonly token: string;
  readonly fetch: typeof fetch;
}

const limitMs = 5000;

export function createVaultClient({ address, token, fetch }: VaultAddress): VaultClient {
  return {
    async send(method, path, body) {
      try {
        const response = await fetch(`${address}/v1/${path}`, {
          method,
          headers: { 'X-Vault-Token': token, 'X-Vault-Request': 'true', 'Content-Type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
          redirect: 'manual',
          signal: AbortSignal.timeout(limitMs),
        });
        return toAnswer(response.status, await response.text());
      } catch (error) {
        throw unreachable(error);
      }
    },
  };
}

/** A body that is no JSON comes from an intermediary; only its status is then used. */
function toAnswer(status: number, text: string): VaultAnswer {
  const body = toRecord(parsed(text));
  const errors = Array.isArray(body?.errors) ? body.errors.map(String) : [];
  return { status, data: toRecord(body?.data) ?? toRecord(body?.auth), errors };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function toRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isObject(value) ? value : undefined;
}

function unreachable(error: unknown): Failure {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError') {
    return storageFailed(`The secrets manager did not answer within ${limitMs / 1000} s.`);
  }
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return storageFailed(`The secrets manager at \`VAULT_ADDR\` cannot be reached${code}.`);
}

/** The sentence for a refusal. */
export function refused({ status, errors }: VaultAnswer): Failure {
  if (status === 403) {
    return storageFailed(
      'The secrets manager denied access: `VAULT_TOKEN` is wrong or expired, or may not do this at `VAULT_PATH`.',
    );
  }
  if (status === 503 && errors.some((text) => /sealed/i.test(text))) {
    return storageFailed('The secrets manager is sealed; unseal it.');
  }
  if (status === 404) {
    return storageFailed('The secrets manager has no KV version 2 store where `VAULT_PATH` points.');
  }
  if (status === 429)
    return storageFailed('The secrets manager refuses more requests now; try again shortly.');
  if (status >= 300 && status < 400) {
    return storageFailed('The secrets manager redirects; set `VAULT_ADDR` to the node that it redirects to.');
  }
  return storageFailed(`The secrets manager answered with status ${status}.`);
}

function storageFailed(sentence: string): Failure {
  return new Failure('storage_failed', sentence);
}
