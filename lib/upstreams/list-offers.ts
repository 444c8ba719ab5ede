import { keyMembers, toOfferList } from '../catalog/offer-rows.ts';
import { type Offer, readCapabilities, type ServerOffers } from '../catalog/offers.ts';
import { hasUnseen } from '../catalog/shown-names.ts';
import type { Handshake } from './handshake.ts';
import { listPages } from './list-pages.ts';
import type { Multiplexer } from './multiplexer.ts';

/** Characters; longer ones are not looked up (`lib/mcp/group-offers.ts`). */
const longestUri = 8_192;

/**
 * What a server offers besides tools. It is asked only for what it said it has; a list that it refuses all the same
 * is empty, as with servers that have resources and no templates.
 */
export async function listOffers(
  multiplexer: Pick<Multiplexer, 'ask'>,
  server: string,
  { capabilities, instructions }: Pick<Handshake, 'capabilities' | 'instructions'>,
  waitMs: number,
): Promise<ServerOffers> {
  const has = readCapabilities(capabilities);
  async function list(
    isOffered: boolean,
    method: string,
    member: string,
    keyMember: string,
  ): Promise<readonly Offer[]> {
    if (!isOffered) return [];
    const definitions = await listPages(multiplexer, { server, method, member, waitMs });
    const offers = toOfferList(definitions ?? [], keyMember);
    if (keyMember === keyMembers.prompts) return offers;
    // Prompts can be given other names; for such a URI clients drop the whole list.
    return offers.filter(({ key }) => key.length <= longestUri && !hasUnseen(key));
  }
  return {
    capabilities,
    instructions,
    prompts: await list(has.prompts, 'prompts/list', 'prompts', keyMembers.prompts),
    resources: await list(has.resources, 'resources/list', 'resources', keyMembers.resources),
    templates: await list(
      has.resources,
      'resources/templates/list',
      'resourceTemplates',
      keyMembers.templates,
    ),
  };
}
