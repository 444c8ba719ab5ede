import type { Capabilities } from '../../sessions/client-requests/client-requests.ts';

/**
 * What connections declare (2025-11-25 basic/lifecycle, Capability Negotiation), as raw JSON of an object. A connection that
 * sessions may share declares what any client could have, so that servers show the tools that need it, and each request
 * is judged by the client that it would go to (`lib/sessions/client-requests/client-requests.ts`). Roots it has none of: those of one
 * client would be taken for all, and to be told "none" would be worse than not to ask (docs/decisions/0021).
 */
const shared = { sampling: { tools: {}, context: {} }, elicitation: { form: {}, url: {} } };

export const sharedCapabilities = JSON.stringify(shared);

/** For a connection that only lists for sessions which have connections of their own: nobody is asked over it. */
export const listingCapabilities = JSON.stringify({ ...shared, roots: {} });

const known: Readonly<Record<string, readonly string[]>> = {
  sampling: ['tools', 'context'],
  elicitation: ['form', 'url'],
  roots: ['listChanged'],
};

/** What the one client declared itself, of what the revision knows and a gateway can pass on. */
export function capabilitiesOfClient(declared: Capabilities): string {
  const passedOn = Object.entries(known).flatMap(([name, members]) => {
    const given = declared[name];
    if (typeof given !== 'object' || given === null) return [];
    const entries = Object.entries(given).filter(([member]) => members.includes(member));
    return [[name, Object.fromEntries(entries)]];
  });
  return JSON.stringify(Object.fromEntries(passedOn));
}
