import { memberText } from '../../json/raw-json.ts';
import { protocolVersions } from '../../json-rpc/protocol-versions.ts';

/** Of the revision of 2026-07-28: the version of a request is not supported; `data.supported` has those that are. */
export const unsupportedVersion = '-32022';
const methodNotFound = '-32601';
const isVersion = /^\d{4}-\d{2}-\d{2}(-[a-z0-9.]{1,20})?$/;
const mostListed = 5;

const ours = `this gateway speaks ${protocolVersions[0]} to ${protocolVersions.at(-1)}`;

/** @returns what continues "the server is unavailable: …"; undefined when these are no versions that can be told. */
export function unspokenVersions(theirs: readonly unknown[]): string | undefined {
  const told = theirs.filter((version) => typeof version === 'string' && isVersion.test(version));
  if (told.length === 0) return undefined;
  return `it speaks version ${told.slice(0, mostListed).join(', ')} of MCP, and ${ours}`;
}

/**
 * Why a server that knows no `initialize` of ours refused it: one that speaks later revisions alone should name them.
 * @param error raw JSON. @returns as `unspokenVersions`; undefined when it refused for another reason.
 */
export function unspokenVersionIn(error: string): string | undefined {
  const code = memberText(error, 'code');
  if (code === methodNotFound) {
    return `it knows no \`initialize\`, so it may speak a later version of MCP, and ${ours}`;
  }
  const supported = memberText(memberText(error, 'data') ?? '', 'supported');
  if (code !== unsupportedVersion || supported === undefined) return undefined;
  const versions: unknown = JSON.parse(supported);
  return Array.isArray(versions) ? unspokenVersions(versions) : undefined;
}
