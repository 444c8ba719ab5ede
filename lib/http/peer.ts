/** Who is at the other end of a connection, as far as its address tells. */

/** What counts as one peer: an IPv4 address, or an IPv6 network of 64 bits, which is what one machine is given. */
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

/** An IP address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/');
  const bits = bitsOf(address);
  if (bits === undefined || more !== undefined) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

function bitsOf(address: string): 32 | 128 | undefined {
  const parts = address.split('.');
  const isQuad = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  if (isQuad) return 32;
  return /^[0-9a-f:.]+$/i.test(address) && address.includes(':') && URL.canParse(`http://[${address}]`)
    ? 128
    : undefined;
}
