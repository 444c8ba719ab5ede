/** Vault's token store as far as a holder of a token sees it: time to live, renewal, a longest life, policies. */
import type { VaultReply } from './fake-vault-store.ts';

export interface FakeToken {
  /** 0 = never ends. */
  readonly ttlSeconds?: number;
  readonly isRenewable?: boolean;
  /** No renewal reaches beyond; 0 = no limit. */
  readonly longestSeconds?: number;
  /** Path prefix below `/v1/` → what may be done there. Absent: everything, as root. */
  readonly policy?: Readonly<Record<string, readonly Capability[]>>;
}

export type Capability = 'create' | 'read' | 'update' | 'delete' | 'list';

interface Issued extends Required<Omit<FakeToken, 'policy'>> {
  readonly policy: FakeToken['policy'];
  readonly issuedAt: number;
  endsAt: number;
}

export interface FakeVaultTokens {
  issue(id: string, token: FakeToken): void;
  revoke(id: string): void;
  isValid(id: string): boolean;
  mayDo(id: string, capability: Capability, path: string): boolean;
  lookupSelf(id: string): VaultReply;
  renewSelf(id: string): VaultReply & { readonly auth?: unknown };
}

export function createFakeVaultTokens(): FakeVaultTokens {
  const tokens = new Map<string, Issued>();
  const find = (id: string) => {
    const token = tokens.get(id);
    return token && token.endsAt > Date.now() ? token : undefined;
  };
  const denied: VaultReply = { status: 403, errors: ['permission denied'] };
  const left = (token: Issued) =>
    token.ttlSeconds === 0 ? 0 : Math.floor((token.endsAt - Date.now()) / 1000);

  return {
    issue(id, { ttlSeconds = 0, isRenewable = ttlSeconds > 0, longestSeconds = 0, policy }) {
      const issuedAt = Date.now();
      const endsAt = ttlSeconds === 0 ? Number.POSITIVE_INFINITY : issuedAt + ttlSeconds * 1000;
      tokens.set(id, { ttlSeconds, isRenewable, longestSeconds, policy, issuedAt, endsAt });
    },
    revoke: (id) => void tokens.delete(id),
    isValid: (id) => find(id) !== undefined,
    mayDo(id, capability, path) {
      const policy = find(id)?.policy;
      if (!policy) return find(id) !== undefined;
      return Object.entries(policy).some(
        ([prefix, capabilities]) => path.startsWith(prefix) && capabilities.includes(capability),
      );
    },
    lookupSelf(id) {
      const token = find(id);
      if (!token) return denied;
      return {
        status: 200,
        data: {
          id,
          creation_ttl: token.ttlSeconds,
          explicit_max_ttl: token.longestSeconds,
          expire_time: token.ttlSeconds === 0 ? null : new Date(token.endsAt).toISOString(),
          ttl: left(token),
          renewable: token.isRenewable,
          policies: [token.policy ? 'default' : 'root'],
        },
      };
    },
    renewSelf(id) {
      const token = find(id);
      if (!token) return denied;
      if (!token.isRenewable) return { status: 400, errors: ['lease is not renewable'] };
      const latest =
        token.longestSeconds === 0 ? Number.POSITIVE_INFINITY : token.issuedAt + token.longestSeconds * 1000;
      token.endsAt = Math.min(Date.now() + token.ttlSeconds * 1000, latest);
      const seconds = Math.round((token.endsAt - Date.now()) / 1000);
      return { status: 200, auth: { client_token: id, lease_duration: seconds, renewable: true } };
    },
  };
}
