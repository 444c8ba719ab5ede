import { Failure } from '../../failure.ts';
import { isObject } from '../../json/parse-json.ts';
import { replaceMembers } from '../../json/raw-json.ts';
import type { RequestMessage } from '../../json-rpc/client-messages.ts';
import { answerText, resultText } from '../../json-rpc/write.ts';
import type { OwnThing } from '../views/group-features.ts';
import { findPrompt } from './get-prompt.ts';
import { relayInGroup } from './relay.ts';
import type { CallScope, MethodDependencies } from './scope.ts';

/**
 * `completion/complete` (server/utilities/completion; docs/protocol.md, rule 45): the reference becomes the server's
 * own name for its prompt or template, the rest passes. A server without completions is not asked.
 */
const nothing = '{"completion":{"values":[],"total":0,"hasMore":false}}';

/** @throws Failure `invalid_params`, `prompt_not_found`, `method_not_found`, and as `relayInGroup`. */
export async function complete(
  message: RequestMessage,
  scope: CallScope,
  dependencies: MethodDependencies,
): Promise<string> {
  const { features } = scope.view;
  if (!features.can.completions) throw new Failure('method_not_found', 'No server of this group completes.');
  const { own, member } = findReference(message.params.ref, scope);
  if (!features.capabilitiesOf(own.server).completions) return resultText(message.id, nothing);
  const replacements = {
    ref: (ref: string) => replaceMembers(ref, 0, { [member]: JSON.stringify(own.key) }),
  };
  const { server } = own;
  return answerText(
    message.id,
    await relayInGroup({ message, server, replacements }, scope, dependencies, unknownReference),
  );
}

function findReference(ref: unknown, scope: CallScope): { own: OwnThing; member: 'name' | 'uri' } {
  const { type, name, uri } = isObject(ref) ? ref : {};
  if (type === 'ref/prompt') return { own: findPrompt(name, '`params.ref.name`', scope), member: 'name' };
  if (type !== 'ref/resource') {
    throw new Failure('invalid_params', '`params.ref.type` must be `ref/prompt` or `ref/resource`.');
  }
  if (typeof uri !== 'string') throw new Failure('invalid_params', '`params.ref.uri` must be a string.');
  const { features } = scope.view;
  const own = features.template(uri) ?? features.resource(uri);
  if (own === undefined) throw unknownReference();
  return { own, member: 'uri' };
}

function unknownReference(): Failure {
  return new Failure('invalid_params', '`params.ref` is no prompt or resource of this group.');
}
