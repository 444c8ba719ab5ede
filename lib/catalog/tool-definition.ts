/** What we read out of a raw tool definition; everything else in it passes through unread. */

/** Empty when the server gave none. */
export function descriptionIn(definition: string): string {
  const { description } = JSON.parse(definition) as { description?: unknown };
  return typeof description === 'string' ? description : '';
}
