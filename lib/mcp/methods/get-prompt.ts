import { Failure } from '../../failure.ts';
import { checkArguments, type RequestMessage } from '../../json-rpc/client-messages.ts';
import { answerText } from '../../json-rpc/write.ts';
import type { OwnThing } from '../views/group-features.ts';
import { relayInGroup } from './relay.ts';
import type { CallScope, MethodDependencies, Scope } from './scope.ts';

/**
 * `prompts/get`: checks that the prompt is in the group, and relays.
 * @throws Failure as `findPrompt`, `checkArguments` and `relayInGroup`.
 */
export async function getPrompt(
  message: RequestMessage,
  scope: CallScope,
  dependencies: MethodDependencies,
): Promise<string> {
  const { name } = message.params;
  const { server, key } = findPrompt(name, '`params.name`', scope);
  checkArguments(message.params);
  const notFound = () => promptNotFound(String(name));
  const replacements = { name: JSON.stringify(key) };
  return answerText(
    message.id,
    await relayInGroup({ message, server, replacements }, scope, dependencies, notFound),
  );
}

/** @throws Failure `invalid_params`, `prompt_not_found`, `method_not_found` when the group has no prompts. */
export function findPrompt(name: unknown, field: string, { view }: Pick<Scope, 'view'>): OwnThing {
  if (!view.features.can.prompts)
    throw new Failure('method_not_found', 'No server of this group has prompts.');
  if (typeof name !== 'string') throw new Failure('invalid_params', `${field} must be a string.`);
  const prompt = view.features.prompt(name);
  if (prompt === undefined) throw promptNotFound(name);
  return prompt;
}

/** Callers choose names: bounded, and quoted so that no control character survives. */
function promptNotFound(name: string): Failure {
  return new Failure('prompt_not_found', `Unknown prompt: ${JSON.stringify(name.slice(0, 128))}`);
}
