import { object, type } from 'superstruct';
import { serverConfigFields } from '../../../lib/config/server-config-document.ts';
import { problemsOf } from '../../../lib/definitions/some-problems.ts';
import { check } from '../../../lib/json/check.ts';
import { flag } from '../../../lib/json/field-structs.ts';
import type { Registration } from '../../../lib/registry/registry.ts';
import type { RegisteredServer } from './answers.ts';

/** The body and the answer of `POST /api/servers`, around the config itself. */

const options = {
  dry_run: flag('Only starts the server, says what would change, and stops it.'),
  replace: flag('A server of this name is replaced.'),
  discard_data: flag(
    'Files of the container outside of volumes may be lost, and volumes that another image wrote.',
  ),
};

const WithOptions = type(options);

/** The whole body as it is described. `splitOptions` checks the options, `parseServerConfig` all other fields. */
export const RegistrationBody = object({ ...serverConfigFields, ...options });

export interface RegistrationOptions {
  readonly document: unknown;
  readonly dryRun: boolean;
  readonly replace: boolean;
  readonly discardData: boolean;
}

/** Splits the body: a config in its file's form, with up to three more fields. */
export function splitOptions(body: unknown): RegistrationOptions {
  const {
    dry_run: dryRun = false,
    replace = false,
    discard_data: discardData = false,
    ...document
  } = check(body, WithOptions);
  return { document, dryRun, replace, discardData };
}

export function registrationAnswer(registration: Registration, dryRun: boolean): RegisteredServer {
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
