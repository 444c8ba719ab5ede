import type { ClientChannel } from '../upstreams/upstreams.ts';

/**
 * The client of a try: there is none. What a server tells it is dropped, and what a server asks it is refused in words
 * that the tool may show.
 */
export const nobody: ClientChannel = {
  canAnswer: false,
  logLevel: undefined,
  notify() {},
  hangUp() {},
  ask: async (method) => ({
    error: JSON.stringify({
      code: -32601,
      message: `This call is a try: there is no client behind it that could answer ${method}.`,
    }),
  }),
};
