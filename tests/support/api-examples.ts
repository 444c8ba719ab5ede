/** The examples of the OpenAPI document, sent to a service and compared with what it answers. */
import { gatewayEndpoints } from '../../handlers/gateway/gateway-endpoints.ts';
import type { Endpoints, Example } from '../../lib/openapi/endpoint.ts';
import { assertAnswer, mediaTypeOf } from './api-document.ts';

export interface NamedExample extends Example {
  /** Method and path. */
  readonly endpoint: string;
}

/** In the order in which they are sent: what is renamed and deleted is looked at before. */
export function examplesOf(endpoints: Endpoints): NamedExample[] {
  const all = Object.entries(endpoints).flatMap(([endpoint, { examples = [] }]) =>
    examples.map((example) => ({ ...example, endpoint })),
  );
  const late = ({ endpoint }: NamedExample) =>
    endpoint.startsWith('DELETE ') ? 2 : endpoint.endsWith('/rename') ? 1 : 0;
  return all.sort((a, b) => late(a) - late(b));
}

/** Fields whose values are another service's; they are only compared by type. */
const volatile = new Set([
  ...['etag', 'definition_hash', 'approved_hash', 'milliseconds', 'version', 'request_id'],
  ...[
    'connected_at',
    'approved_at',
    'at',
    'old_digest',
    'new_digest',
    'container_name',
    'calls',
    'lines',
    'groups_dir',
  ],
]);

export interface ExampleSender {
  /** @throws Error that says how the answer differs. */
  send(example: NamedExample): Promise<void>;
}

/** @param stands JSON text of the examples → what stands there with this service, such as addresses. */
export function createExampleSender(
  addresses: { readonly manager: string; readonly gateway: string },
  stands: ReadonlyMap<string, string>,
): ExampleSender {
  /** A volatile value of an example → the value that the service answered with. */
  const learned = new Map<string, string>();

  const there = (text: string) => replaceAll(replaceAll(text, learned), stands);
  const here = (text: string) => replaceAll(text, new Map([...stands].map(([a, b]) => [b, a])));

  return {
    async send({ endpoint, name, path = {}, query, headers = {}, body, status, answer }) {
      const [method = '', template = ''] = endpoint.split(' ');
      const values = JSON.parse(there(JSON.stringify(path)));
      const filled = template.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(values[key] ?? ''));
      const address = `${filled}${query ? `?${new URLSearchParams(query)}` : ''}`;
      const base = endpoint in gatewayEndpoints ? addresses.gateway : addresses.manager;
      const leaving = new AbortController();
      const response = await fetch(`${base}${address}`, {
        method,
        signal: leaving.signal,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...JSON.parse(there(JSON.stringify(headers))),
        },
        body: body === undefined ? null : there(JSON.stringify(body)),
      });
      const mediaType = mediaTypeOf(response.headers);
      const isStream = mediaType === 'text/event-stream';
      const text = isStream ? '' : await response.text();
      leaving.abort();
      const at = `${endpoint}, "${name}"`;
      if (response.status !== status) throw new Error(`${at}: ${response.status} ${text}`);
      assertAnswer({ method, path: filled, status, mediaType, text });
      if (answer === undefined) return;
      const differences = compare(answer, JSON.parse(here(text)), '', learned);
      if (differences.length > 0)
        throw new Error(`${at}:\n${differences.join('\n')}\nanswered: ${text.slice(0, 2_000)}`);
    },
  };
}

function replaceAll(text: string, values: ReadonlyMap<string, string>): string {
  return [...values].reduce((done, [from, to]) => done.replaceAll(from, to), text);
}

/** What of an example is not so in an answer, which may have more. */
function compare(example: unknown, answer: unknown, at: string, learned: Map<string, string>): string[] {
  const key = at.split('.').at(-1) ?? '';
  if (volatile.has(key)) {
    if (typeof example === 'string' && typeof answer === 'string')
      learned.set(quoted(example), quoted(answer));
    return typeof example === typeof answer ? [] : [`${at}: ${typeof answer}`];
  }
  if (Array.isArray(example) && Array.isArray(answer)) {
    if (example.length !== answer.length) return [`${at}: ${answer.length} instead of ${example.length}`];
    return example.flatMap((one, index) => compare(one, answer[index], `${at}.${index}`, learned));
  }
  if (isObject(example) && isObject(answer)) {
    return Object.entries(example).flatMap(([name, value]) =>
      compare(value, answer[name], `${at}.${name}`, learned),
    );
  }
  return example === answer ? [] : [`${at}: ${JSON.stringify(answer)} instead of ${JSON.stringify(example)}`];
}

/** As it stands within JSON text. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
