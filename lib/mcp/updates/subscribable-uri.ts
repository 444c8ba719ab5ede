/** Stands in the database and travels in news, which hold less than 7,000 bytes when every character is escaped. */
export const longestSubscribable = 2_048;

/** Whether somebody can be subscribed to this URI, and hear of it from other processes. */
export function isSubscribable(uri: string): boolean {
  return !/\p{Cc}|\p{Surrogate}/u.test(uri) && new TextEncoder().encode(uri).length <= longestSubscribable;
}
