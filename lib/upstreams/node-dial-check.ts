import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Addresses that no MCP server has: link-local ones, where clouds serve their machine's credentials, and those
 * that name no single host. Checked when the connection is dialled, on what the name resolved to at that moment,
 * so that a name cannot be made to point elsewhere between check and use. Private addresses are fine: that is
 * where servers of one's own live.
 */
const refused = new BlockList();
refused.addSubnet('0.0.0.0', 8);
refused.addSubnet('169.254.0.0', 16);
refused.addAddress('100.100.100.200');
refused.addSubnet('224.0.0.0', 4);
refused.addAddress('255.255.255.255');
refused.addAddress('::', 'ipv6');
refused.addSubnet('fe80::', 10, 'ipv6');
refused.addSubnet('ff00::', 8, 'ipv6');
refused.addAddress('fd00:ec2::254', 'ipv6');

export const refusedAddressCode = 'ERR_REFUSED_ADDRESS';

export function isRefusedAddress(address: string): boolean {
  return refused.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** True for a URL that names such an address itself; names are looked at by `guardedLookup`. */
export function hasRefusedAddress(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isRefusedAddress(host);
}

/** The `lookup` of sockets. Fails when any of the addresses is refused. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  const all: LookupOptions & { all: true } = { ...options, all: true };
  lookup(hostname, all, (error, addresses) => {
    const problem = error ?? (addresses.some(({ address }) => isRefusedAddress(address)) ? refusal() : null);
    if (problem) return callback(problem, '', 0);
    if (options.all) return callback(null, addresses);
    const first: LookupAddress | undefined = addresses[0];
    callback(null, first?.address ?? '', first?.family);
  });
};

function refusal(): NodeJS.ErrnoException {
  return Object.assign(new Error('The address is refused.'), { code: refusedAddressCode });
}
