import { boolean, optional, type } from 'superstruct';
import { problemsOf } from '../../../lib/definitions/some-problems.ts';
import { check } from '../../../lib/json/check.ts';
import type { Registration } from '../../../lib/registry/registry.ts';

/** The body and the answer of `POST /api/servers`, around the config itself. */

const WithOptions = type({
  dry_run: optional(boolean()),
  replace: optional(boolean()),
  discard_data: optional(boolean()),
});

export interface RegistrationOptions {
  readonly document: unknown;
  readonly dryRun: boolean;
  readonly replace: boolean;
  readonly discardData: boolean;
}

/** Splits the body: a config in its file's form, with up to three more fields. */
export function splitOptions(body: unknown): RegistrationOptions {
  const options = check(body, WithOptions);
  const {
    dry_run: dryRun = false,
    replace = false,
    discard_data: discardData = false,
    ...document
  } = options;
  return { document, dryRun, replace, discardData };
}

export function registrationAnswer(registration: Registration, dryRun: boolean): Record<string, unknown> {
  const { server, outcome, warnings, addedTools, removedTools } = registration;
  return {
    message: message(registration, dryRun),
    name: server.name,
    outcome,
    ...(dryRun ? { dry_run: true } : {}),
    tool_count: server.tools.length,
    tools: server.tools.map((tool) => tool.fullName),
    warnings,
    ...problemsOf(server),
    added_tools: addedTools,
    removed_tools: removedTools,
  };
}

function message({ server, outcome }: Registration, dryRun: boolean): string {
  const count = server.tools.length === 1 ? '1 tool' : `${server.tools.length} tools`;
  if (dryRun) return `Nothing was changed; server ${server.name} would be ${outcome}, with ${count}.`;
  return outcome === 'unchanged'
    ? `Server ${server.name} was registered like this already and was listed again: ${count}.`
    : `Server ${server.name} is ${outcome} with ${count}.`;
}
