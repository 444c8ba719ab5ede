import { type AdminClient, slowMs } from './admin-client.ts';

/** What the service answers to a registration (`POST /api/servers`). */
export interface RegistrationAnswer {
  readonly message: string;
  readonly name: string;
  readonly tools: readonly string[];
  readonly warnings: readonly string[];
  /** What is wrong with what the server lists. */
  readonly problems?: readonly string[];
  readonly added_tools: readonly string[];
  readonly removed_tools: readonly string[];
}

export async function postRegistration(
  admin: AdminClient,
  document: Readonly<Record<string, unknown>>,
  {
    dryRun = false,
    replace,
    discardData = false,
  }: { readonly dryRun?: boolean; readonly replace: boolean; readonly discardData?: boolean },
): Promise<RegistrationAnswer> {
  const body = {
    ...document,
    ...(dryRun ? { dry_run: true } : {}),
    ...(replace ? { replace: true } : {}),
    ...(discardData ? { discard_data: true } : {}),
  };
  const answer = await admin.request('POST', '/api/servers', { body, timeoutMs: slowMs });
  return {
    ...answer,
    message: String(answer.message ?? ''),
    name: String(answer.name ?? ''),
    tools: strings(answer.tools),
    warnings: strings(answer.warnings),
    ...(answer.problems === undefined ? {} : { problems: strings(answer.problems) }),
    added_tools: strings(answer.added_tools),
    removed_tools: strings(answer.removed_tools),
  };
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
