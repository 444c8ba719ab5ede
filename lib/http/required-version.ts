/**
 * The version that a caller means to change: `If-Match` (RFC 9110 section 13.1.1). `*` asks only that the thing
 * exists, which it must anyway; proxies that compress make an etag weak.
 */
export function requiredVersion(headers: Headers): string | undefined {
  const value = headers.get('if-match')?.trim();
  return value === undefined || value === '*' ? undefined : value.replace(/^W\//, '');
}
