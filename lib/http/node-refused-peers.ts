import { BlockList, isIPv6 } from 'node:net';

/**
 * Peers that get no word on any port: servers in containers, on the network that this service joined to reach them.
 * They are not trusted, and the manager asks for no token unless one is set. What people send through a published
 * port comes from the network's gateway address, so that one is heard.
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
  const heard = new BlockList();
  return {
    add({ subnet, gateway }) {
      const [address = '', prefix] = subnet.split('/');
      refused.addSubnet(address, Number(prefix), familyOf(address));
      if (gateway !== undefined) heard.addAddress(gateway, familyOf(gateway));
    },
    has(address) {
      if (address === undefined) return false;
      const family = familyOf(address);
      return refused.check(address, family) && !heard.check(address, family);
    },
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
