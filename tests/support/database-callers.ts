/** What each kind of caller gets of a service whose database has a fault, on one page so that tests can compare. */
import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { type PlainSession, postJson } from './mcp-client.ts';
import type { RunningService } from './run-service.ts';

export const echoGroup = { name: 'svc-global', description: '', included_tools: ['everything__echo'] };

/** Each session takes some room, so that few fill what a full disk still has. */
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-03-26',
    capabilities: { experimental: { filling: { text: randomBytes(1000).toString('hex') } } },
    clientInfo: { name: 'test', version: '1' },
  },
};

/** `200`, or the status with the reason: `503 read_only`. */
export type Outcome = string;

export interface Outcomes {
  /** List and call of a session that was open before. */
  readonly openSession: Outcome;
  readonly newSession: Outcome;
  /** Switching a tool of a group. */
  readonly edit: Outcome;
  readonly allTools: Outcome;
  readonly ready: number;
}

/** While nothing is wrong. */
export const allServed: Outcomes = {
  openSession: '200',
  newSession: '200',
  edit: '200',
  allTools: '200',
  ready: 200,
};

export async function askEverybody(service: RunningService, session: PlainSession): Promise<Outcomes> {
  const outcomes = {
    openSession: await useSession(session),
    newSession: await openNew(service),
    edit: await toggle(service),
    allTools: String((await fetch(`${service.gatewayUrl}/api/v0/tools`)).status),
    ready: (await fetch(`${service.gatewayUrl}/readyz`)).status,
  };
  return outcomes;
}

/** In under a second each: what is in memory waits for no database. */
export async function useSession(session: PlainSession): Promise<Outcome> {
  const startedAt = performance.now();
  const listed = await session.request('tools/list');
  const call = { name: 'everything__echo', arguments: { message: 'still' } };
  const called = await session.request('tools/call', call);
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs < 2000, `${tookMs} ms`);
  assert.match(listed.text, 'everything__echo');
  assert.match(called.text, 'Echo: still');
  return String(called.status);
}

export async function openNew(service: RunningService): Promise<Outcome> {
  const { status, body, headers, text } = await postJson(service.groupUrl(), initialize);
  if (status === 200) return '200';
  assert.is(body.error.code, -32603);
  assertTellsNothing(text);
  return outcomeOf(status, headers, body.error.data);
}

/** Switches on a tool that the group has not: the answer is told, and the group is as before. */
export async function toggle(service: RunningService, group = 'svc-global', tool = 'everything__get-sum') {
  const change = (enabled: boolean) =>
    postJson(`${service.managerUrl}/api/tools/toggle`, { group, tool, enabled });
  const { status, body, headers, text } = await change(true);
  if (status === 200) {
    assert.is((await change(false)).status, 200);
    return '200';
  }
  assertTellsNothing(text);
  return outcomeOf(status, headers, { ...body, ...body.details });
}

function outcomeOf(
  status: number,
  headers: Headers,
  { code, reason }: { code: string; reason: string },
): Outcome {
  assert.is(code, 'database_unavailable');
  assert.ok(Number(headers.get('retry-after')) > 0, 'it says when to come again');
  return `${status} ${reason}`;
}

function assertTellsNothing(text: string): void {
  assert.not.match(text, /127\.0\.0\.1|postgres:|ECONN|SQL|svc_mcp|pg_/i);
}

/** Lines of the log that say what was wrong with the database, each once in ten seconds at most. */
export function faultLines(service: RunningService): { reason: string; state?: string; stack?: string }[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.includes('"unlogged"'))
    .map((line) => JSON.parse(line));
}
