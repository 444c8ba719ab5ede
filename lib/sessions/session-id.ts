/**
 * Anything else was not issued by us and is unknown without asking the database. Issued ids have 128 random
 * bits or more, which is 22 characters of base64url.
 */
export function isSessionId(id: string): boolean {
  return /^[0-9A-Za-z_-]{22,64}$/.test(id);
}
