/** What a run of schemathesis did, from its reports. */

export interface Tally {
  /** Requests that were answered, each judged by every check. */
  readonly requests: number;
  /** Of these, those that no check failed. */
  readonly held: number;
  /** By status, of those from 500 on. */
  readonly serverErrors: Readonly<Record<number, number>>;
  /** Answers whose status, media type, header or body is not as the document has it. */
  readonly outOfSchema: number;
  /** Different failures, and errors such as a request that was not answered. */
  readonly failures: readonly string[];
}

const ofTheSchema = new Set([
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]);

interface ScenarioFinished {
  readonly recorder: {
    readonly interactions?: Readonly<
      Record<string, { readonly response?: { readonly status_code: number } | null }>
    >;
    readonly checks?: Readonly<Record<string, readonly { readonly name: string; readonly status: string }[]>>;
  };
}

interface Summary {
  readonly complete: boolean;
  readonly failures: readonly {
    readonly title: string;
    readonly count: number;
    readonly operations: readonly string[];
  }[];
  readonly errors: readonly { readonly title: string; readonly count: number }[];
}

/**
 * @param events Lines of the report `ndjson`.
 * @param summary The report `json`.
 */
export async function readTally(
  events: AsyncIterable<string> | Iterable<string>,
  summary: Summary,
): Promise<Tally> {
  const sum = { requests: 0, held: 0, outOfSchema: 0 };
  const serverErrors: Record<number, number> = {};
  for await (const line of events) {
    const { ScenarioFinished: scenario } = JSON.parse(line) as { ScenarioFinished?: ScenarioFinished };
    if (scenario === undefined) continue;
    const { interactions = {}, checks = {} } = scenario.recorder;
    for (const [id, { response }] of Object.entries(interactions)) {
      if (!response) continue;
      const failed = (checks[id] ?? []).filter(({ status }) => status === 'failure');
      sum.requests += 1;
      if (failed.length === 0) sum.held += 1;
      if (failed.some(({ name }) => ofTheSchema.has(name))) sum.outOfSchema += 1;
      const { status_code: status } = response;
      if (status >= 500) serverErrors[status] = (serverErrors[status] ?? 0) + 1;
    }
  }
  return { ...sum, serverErrors, failures: failuresOf(summary) };
}

function failuresOf({ complete, failures, errors }: Summary): string[] {
  return [
    ...failures.flatMap(({ title, count, operations }) =>
      Array.from({ length: count }, (_, index) => `${title}: ${operations[index] ?? operations.join(', ')}`),
    ),
    ...errors.flatMap(({ title, count }) => Array.from({ length: count }, () => title)),
    ...(complete ? [] : ['The run did not come to its end.']),
  ];
}
