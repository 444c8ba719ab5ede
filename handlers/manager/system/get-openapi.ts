import type { IRequestStrict } from 'itty-router';
import { jsonText } from '../../../lib/http/responses.ts';
import { apiDocument } from '../../api-document.ts';
import type { ManagerContext } from '../context.ts';

/**
 * `GET /api/openapi.json`: the API as an OpenAPI document, with the addresses of this installation. Made once for them:
 * it takes 30 ms, in which no call is relayed.
 */
export function getOpenApi(): (
  request: IRequestStrict,
  context: Pick<ManagerContext, 'service'>,
) => Response {
  let made = { of: '', text: '' };
  return (_request, { service }) => {
    const { version, managerUrl, gatewayUrl } = service;
    const facts = { version, managerUrl: managerUrl(), gatewayUrl: gatewayUrl() };
    const of = JSON.stringify(facts);
    if (made.of !== of) made = { of, text: JSON.stringify(apiDocument(facts)) };
    return jsonText(made.text);
  };
}
