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

/** A host name, as URLs have it, that every machine keeps for itself. */
export function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  );
}
