import { listOf, objectOf, oneOf, string } from './rules.ts';

/** Of everything that a server lists. Revision 2025-11-25, schema.ts: Icon. */
export const icons = listOf(
  objectOf({
    required: { src: string },
    optional: { mimeType: string, sizes: listOf(string), theme: oneOf('light', 'dark') },
  }),
);
