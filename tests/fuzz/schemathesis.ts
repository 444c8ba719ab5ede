import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../support/run-command.ts';
import { plainEnvironment } from '../support/service-command.ts';
import { readTally, type Tally } from './tally.ts';

export interface FuzzOptions {
  readonly python: string;
  readonly documentUrl: string;
  /** Where the requests go. */
  readonly url: string;
  /** Which paths of the document are fuzzed there. */
  readonly paths: readonly string[];
  readonly seconds: number;
  readonly seed: number;
  /** What `${NAME}` stands for in `schemathesis.toml`, and environment variables of `hooks.py`. */
  readonly values: Readonly<Record<string, string>>;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const endsWithinMs = 60_000;

/** Runs schemathesis, and prints its report where it found something. */
export async function runSchemathesis(options: FuzzOptions): Promise<Tally> {
  const { python, documentUrl, url, paths, seconds, seed, values } = options;
  const dir = mkdtempSync(join(tmpdir(), 'svc-schemathesis-'));
  const configFile = join(dir, 'schemathesis.toml');
  const template = readFileSync(join(here, 'schemathesis.toml'), 'utf8');
  const settings = template.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const [events, summary] = [join(dir, 'events.ndjson'), join(dir, 'summary.json')];
  writeFileSync(configFile, settings);
  try {
    const args = [
      ...['-m', 'schemathesis.cli', '--config-file', configFile, 'run', documentUrl, '--url', url],
      ...paths.flatMap((path) => ['--include-path', path]),
      ...['--max-time', String(seconds), '--seed', String(seed), '--generation-database', 'none'],
      ...[
        '--report',
        'ndjson,json',
        '--report-ndjson-path',
        events,
        '--report-json-path',
        summary,
        '--no-color',
      ],
    ];
    const env = {
      ...plainEnvironment(),
      ...{ HOME: dir, PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: '1', SCHEMATHESIS_HOOKS: 'hooks' },
      ...values,
    };
    const limitMs = seconds * 1000 + endsWithinMs;
    const result = await runCommand(python, args, { cwd: dir, env, limitMs });
    const tally = await readTally(
      createInterface({ input: createReadStream(events) }),
      JSON.parse(readFileSync(summary, 'utf8')),
    );
    if (result.code !== 0 || tally.failures.length > 0) console.log(result.stdout, result.stderr);
    if (result.code === 0 || tally.failures.length > 0) return tally;
    return { ...tally, failures: [`schemathesis ended with ${result.code}`] };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @throws Error with what is wrong with the document by the schema of OpenAPI 3.1. */
export async function validateDocument(python: string, document: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'svc-document-'));
  const file = join(dir, 'openapi.json');
  writeFileSync(file, document);
  const args = ['-m', 'openapi_spec_validator', '--schema', '3.1', '--errors', 'all', file];
  const result = await runCommand(python, args, { cwd: dir, env: plainEnvironment() });
  rmSync(dir, { recursive: true, force: true });
  if (result.code !== 0) throw new Error(`${result.stdout}\n${result.stderr}`);
}
