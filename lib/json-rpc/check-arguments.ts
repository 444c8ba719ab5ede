import { Failure } from '../failure.ts';
import { isObject, type Params } from './message.ts';

/**
 * Arguments of a tool or prompt are an object, or absent (2025-11-25 schema, CallToolRequest and GetPromptRequest).
 * @throws Failure `invalid_params`
 */
export function checkArguments(params: Params): void {
  if (params.arguments === undefined || isObject(params.arguments)) return;
  throw new Failure('invalid_params', '`params.arguments` must be an object.');
}
