import { managerBodyBytes } from '../service-info.ts';
import { CliFailure, unauthorized } from './cli-failure.ts';
import type { CliSettings } from './cli-settings.ts';
import { exchange, type HttpAnswer, whyNoAnswer } from './http-exchange.ts';

/**
 * The manager API as the commands use it: over the admin socket of the service on this machine, or over the
 * network with `--manager`. Every refusal becomes a `CliFailure` with the service's own sentence.
 */
export interface AdminClient {
  /** @param path With its query; names in it percent-encoded by the caller. */
  request(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options?: { body?: unknown; timeoutMs?: number },
  ): Promise<AdminAnswer>;
  /** Posts JSON text unchanged, and resolves also with the unparsed answer, so that no large number changes. */
  postText(path: string, text: string, timeoutMs: number): Promise<{ answer: AdminAnswer; text: string }>;
}

export type AdminAnswer = Readonly<Record<string, unknown>>;

const quickMs = 30_000;

/** Longer than any server's start and any image's pull should take. */
export const slowMs = 15 * 60_000;

/**
 * @param manager Value of `--manager`; undefined: the admin socket.
 * @param startCommand How the service is started in this terminal.
 */
export function createAdminClient(
  settings: CliSettings,
  manager: string | undefined,
  startCommand: string,
): AdminClient {
  const base = manager === undefined ? new URL('http://localhost') : parseManagerUrl(manager);
  const socketPath = manager === undefined ? settings.adminSocket : undefined;
  const authorization: Record<string, string> = settings.adminToken
    ? { Authorization: `Bearer ${settings.adminToken}` }
    : {};

  function send(
    method: string,
    path: string,
    body: string | undefined,
    timeoutMs: number,
  ): Promise<HttpAnswer> {
    const contentType: Record<string, string> =
      body === undefined ? {} : { 'Content-Type': 'application/json' };
    return exchange({
      method,
      url: new URL(base.pathname.replace(/\/$/, '') + path, base),
      socketPath,
      headers: { Accept: 'application/json', ...authorization, ...contentType },
      body: body === undefined ? undefined : bounded(body),
      timeoutMs,
    }).catch((error: unknown) => {
      const sentence = unreachable({ manager, socket: settings.adminSocket, startCommand }, error);
      throw new CliFailure(sentence, 1, { code: 'service_unreachable' });
    });
  }

  const read = (answer: HttpAnswer) => readAnswer(answer, settings.adminToken !== undefined);

  return {
    request: async (method, path, { body, timeoutMs = quickMs } = {}) =>
      read(await send(method, path, body === undefined ? undefined : JSON.stringify(body), timeoutMs)),
    async postText(path, body, timeoutMs) {
      const answer = await send('POST', path, body, timeoutMs);
      return { answer: read(answer), text: answer.text };
    },
  };
}

/** Refuses a body that the service would refuse, because the service closes the connection before its answer is read. */
function bounded(text: string): string {
  if (Buffer.byteLength(text) <= managerBodyBytes) return text;
  throw new CliFailure(
    'That is larger than the 1 MiB that the service takes; a registration config is a few lines.',
  );
}

function parseManagerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new CliFailure('`--manager` expects an address such as http://127.0.0.1:3701.', 2);
  }
  return url;
}

function readAnswer(answer: HttpAnswer, hasToken: boolean): AdminAnswer {
  const body = parseObject(answer.text);
  if (body?.success === true) return body;
  if (answer.status === 401) throw unauthorized('The service', 'ADMIN_TOKEN', hasToken);
  const sentence = body?.error;
  if (typeof sentence === 'string') {
    throw new CliFailure(sentence, 1, { code: body?.code, details: body?.details });
  }
  throw new CliFailure(
    `The answer (HTTP ${answer.status}) is not one of the manager API; check the address.`,
  );
}

/** The strings of a list in an answer. */
export function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function parseObject(text: string): AdminAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as AdminAnswer) : undefined;
  } catch {
    return undefined;
  }
}

interface Address {
  readonly manager: string | undefined;
  readonly socket: string;
  readonly startCommand: string;
}

function unreachable({ manager, socket, startCommand }: Address, error: unknown): string {
  const why = whyNoAnswer(error);
  if (manager !== undefined) {
    return `The service does not answer at ${new URL(manager).origin}: ${why}. Check the address and that it runs.`;
  }
  if (why === 'permission denied') {
    return `The admin socket ${socket} belongs to another user: run this as the user the service runs as.`;
  }
  return (
    `The service does not answer on ${socket}: ${why}. Start it with \`${startCommand}\`, name the folder that ` +
    'it lives in (`--data`, or its DATA_DIR), or its address with `--manager <url>`.'
  );
}
