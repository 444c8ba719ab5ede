import { define, object, optional, string } from 'superstruct';
import { jsonText } from '../../../lib/http/responses.ts';
import { check } from '../../../lib/json/check.ts';
import { about, described } from '../../../lib/json/json-schema.ts';
import { isObject, parseJson } from '../../../lib/json/parse-json.ts';
import { memberText } from '../../../lib/json/raw-json.ts';
import type { Standing, TriedCall, TryRequest } from '../../../lib/tries/tries.ts';

/** Body and answer of `POST /api/tools/{tool}/try`. Arguments and result pass as raw JSON, byte for byte. */
export const TryBody = object({
  arguments: optional(
    described(define('object', isObject), {
      type: 'object',
      additionalProperties: true,
      description: 'The arguments of the tool; absent: none.',
    }),
  ),
  group: optional(
    about(string(), 'The answer says how the tool stands in this group; absent: the default group.'),
  ),
});

/** @throws Failure `invalid_params`, `invalid_request`, `parse_error`. */
export function parseTryRequest(text: string): Omit<TryRequest, 'tool'> {
  const { group } = check(parseJson(text), TryBody);
  return { argumentsText: memberText(text, 'arguments') ?? '{}', group };
}

/** `result` is the answer that an agent would get. */
export function tryAnswer(tool: string, { server, result, milliseconds, standing }: TriedCall): Response {
  const fields = JSON.stringify({
    success: true,
    message: `\`${tool}\` was tried; no agent was involved.`,
    tool,
    server,
    ...standing,
    tried: true,
    milliseconds,
    warnings: standing === undefined ? undefined : warningsOf(tool, standing),
  });
  return jsonText(`${fields.slice(0, -1)},"result":${result}}`);
}

function warningsOf(tool: string, { group, state }: Standing): string[] | undefined {
  if (state !== 'changed') return undefined;
  return [
    `The definition of \`${tool}\` is not the one that was approved for group \`${group}\`: look at the change before you trust what it answers.`,
  ];
}
