import { BlockList, isIPv6 } from 'node:net';

/**
 * Peers that are refused on every port: servers in containers, on the network that this service joined to reach them.
 * They are not trusted, and the manager needs no token unless one is set. Requests of people through a published port
 * come from the network's gateway address, so that address is accepted.
 */
export interface RefusedPeers {
  add(network: SharedNetwork): void;
  has(address: string | undefined): boolean;
}

export interface SharedNetwork {
  /** Such as `172.18.0.0/16`. */
  readonly subnet: string;
  readonly gateway: string | undefined;
}

export function createRefusedPeers(): RefusedPeers {
  const refused = new BlockList();
  const accepted = new BlockList();
  return {
    add({ subnet, gateway }) {
      const [address = '', prefix] = subnet.split('/');
      refused.addSubnet(address, Number(prefix), familyOf(address));
      if (gateway !== undefined) accepted.addAddress(gateway, familyOf(gateway));
    },
    has(address) {
      if (address === undefined) return false;
      const family = familyOf(address);
      return refused.check(address, family) && !accepted.check(address, family);
    },
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** Whether an address is in one of the networks. @param networks Checked by `isNetwork` (`network-syntax.ts`). */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}

/**
 * The peer of a connection by its address: an IPv4 address, or an IPv6 network of 64 bits, which is what one machine is
 * assigned.
 */
export function peerOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [bare = ''] = address.split('%');
  const [before = '', after] = bare.split('::');
  const groups = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const left = after === undefined ? 0 : Math.max(0, 8 - groups.length - last.length);
  return [...groups, ...Array<string>(left).fill('0'), ...last].slice(0, 4).join(':');
}
