import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Addresses that no MCP server has: those where clouds serve the credentials of their machines, link-local ones, and those
 * that name no single host. Checked when the connection is dialled, on the addresses to which the name resolves at that
 * moment, so that a name cannot point elsewhere between check and use. Private addresses are allowed: users run their own
 * servers there.
 */
const refusedIpv4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  // Alibaba Cloud, Azure, Oracle Cloud.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const refusedIpv6: readonly (readonly [string, number])[] = [
  ['fe80::', 10],
  ['ff00::', 8],
  // AWS, Google Cloud.
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
];
const refused = createRefused();

function createRefused(): BlockList {
  const list = new BlockList();
  // Addresses such as ::ffff:169.254.1.1 are compared with these too.
  for (const [network, bits] of refusedIpv4) list.addSubnet(network, bits);
  for (const [network, bits] of refusedIpv6) list.addSubnet(network, bits, 'ipv6');
  list.addAddress('::', 'ipv6');
  for (const [network, bits] of refusedIpv4) {
    const hex = inHex(network);
    // NAT64 (RFC 6052) and 6to4 (RFC 3056) lead to the IPv4 address that they carry.
    list.addSubnet(`64:ff9b::${hex}`, 96 + bits, 'ipv6');
    list.addSubnet(`2002:${hex}::`, 16 + bits, 'ipv6');
    // The compatible form (RFC 4291, 2.5.5.1); of 0.0.0.0/8 it would be ::1 among others.
    if (network !== '0.0.0.0') list.addSubnet(`::${hex}`, 96 + bits, 'ipv6');
  }
  return list;
}

/** An IPv4 address as two groups of an IPv6 address. */
function inHex(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

export const refusedAddressCode = 'ERR_REFUSED_ADDRESS';

export function isRefusedAddress(address: string): boolean {
  return refused.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** True for a URL with such an address as its host; names are checked by `guardedLookup`. */
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
