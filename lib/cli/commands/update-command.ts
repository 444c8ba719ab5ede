import type { Command } from 'commander';
import { printable } from '../../text/printable.ts';
import { type AdminAnswer, slowMs, strings } from '../admin-client.ts';
import {
  assertServerName,
  type Cli,
  type CommonOptions,
  printableLine,
  serverNameArgument,
  withCommonOptions,
} from '../cli.ts';
import { CliFailure } from '../cli-failure.ts';

interface ImageOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly discardData?: boolean;
}

const dryRun = [
  '--dry-run',
  'start the image beside the server and show which tools differ, but change nothing',
] as const;
const discardData = [
  '--discard-data',
  'also when files in its container, outside of volumes, are lost by it',
] as const;

export function addUpdateCommand(program: Command, cli: Cli): void {
  const command = program
    .command('update')
    .description(
      'take the newer image of a server, after comparing its tools; what fails leaves the old one serving',
    )
    .argument(...serverNameArgument)
    .option(...dryRun)
    .option('--check', 'only ask its registry whether there is a newer one')
    .option(...discardData);
  withCommonOptions(command).action((name: string, options: ImageOptions) => {
    if (options.check && (options.dryRun || options.discardData)) {
      throw new CliFailure('`--check` only asks the registry; it goes with no other option.', 2);
    }
    return changeImage(cli, name, 'update', options);
  });
}

export function addRollbackCommand(program: Command, cli: Cli): void {
  const command = program
    .command('rollback')
    .description('go back to the image that a server had before its last update')
    .argument(...serverNameArgument)
    .option(...dryRun)
    .option(...discardData);
  withCommonOptions(command).action((name: string, options: ImageOptions) =>
    changeImage(cli, name, 'rollback', options),
  );
}

async function changeImage(
  cli: Cli,
  name: string,
  verb: 'update' | 'rollback',
  options: ImageOptions,
): Promise<void> {
  assertServerName(cli, name);
  const path = `/api/servers/${encodeURIComponent(name)}/${verb}`;
  const answer = await cli
    .admin(options)
    .request('POST', path, { body: bodyOf(options), timeoutMs: slowMs })
    .catch(explain);
  if (options.json) return cli.printJson(answer);
  cli.print(printable(String(answer.message)));
  for (const line of [...digestLines(answer), ...toolLines(answer)]) cli.print(printableLine(line));
  for (const warning of strings(answer.warnings)) cli.printNote(`Warning: ${printableLine(warning)}`);
}

function bodyOf({ dryRun, check, discardData }: ImageOptions): Record<string, true> {
  return {
    ...(dryRun ? { dry_run: true } : {}),
    ...(check ? { check: true } : {}),
    ...(discardData ? { discard_data: true } : {}),
  };
}

/** Adds the files that would be lost to the sentence, and the option that accepts the loss. */
function explain(error: unknown): never {
  if (!(error instanceof CliFailure) || error.refusal?.code !== 'data_at_risk') throw error;
  const { paths, count } = { ...(error.refusal.details as { paths?: unknown; count?: unknown }) };
  const shown = strings(paths).map((path) => `  ${printableLine(path)}`);
  const more = Number(count) > shown.length ? [`  and ${Number(count) - shown.length} more`] : [];
  const remedy = 'With `--discard-data` it is done all the same.';
  throw new CliFailure([error.message, ...shown, ...more, remedy].join('\n'), 1, error.refusal);
}

function digestLines({ update_available: update, ...answer }: AdminAnswer): string[] {
  const { old_digest, new_digest } = { ...answer, ...(update as object | undefined) } as AdminAnswer;
  if (old_digest === undefined || old_digest === new_digest) return [];
  return [`old image ${old_digest}`, `new image ${new_digest}`];
}

function toolLines({ tools }: AdminAnswer): string[] {
  const { added, removed, changed } = { ...(tools as Readonly<Record<string, unknown>> | undefined) };
  const lines = (sign: string, names: unknown) => strings(names).map((tool) => `${sign} ${tool}`);
  return [...lines('+', added), ...lines('-', removed), ...lines('~', changed)];
}
