/**
 * Who is at the other end of a connection, as far as its address tells: an IPv4 address, or an IPv6 network of 64 bits,
 * which is what one machine is given.
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
