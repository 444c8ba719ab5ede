/**
 * Fuzzes the real service by its own OpenAPI document: `npm run test:fuzz`. `FUZZ_SECONDS` (120) is how long schemathesis
 * works, `FUZZ_SEED` repeats a run. It sends what the document allows and what it does not, and judges every answer by all
 * its checks (`schemathesis.toml` says where not, and why). Passed are answers that no check failed, malformed requests and
 * streams; failed are the different failures that were found.
 */
import { randomInt } from 'node:crypto';
import { openSession } from '../support/mcp-client.ts';
import { installFuzzer } from './install.ts';
import { sendMalformed } from './malformed.ts';
import { runSchemathesis, validateDocument } from './schemathesis.ts';
import { type OpenStream, openStream } from './streams.ts';
import type { Tally } from './tally.ts';
import { createWorld, type World } from './world.ts';

const seconds = Number(process.env.FUZZ_SECONDS ?? 120);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(1_000_000_000));
const malformedRequests = 500;

/** Its answer has no end, so that it is read by `openStream`. */
const streamPath = '/api/events';

interface Part {
  readonly name: 'manager' | 'gateway';
  /** Of the time: the manager has four times as many endpoints, but what the gateway is sent goes further. */
  readonly share: number;
}
const parts: readonly Part[] = [
  { name: 'manager', share: 0.7 },
  { name: 'gateway', share: 0.3 },
];

type Document = {
  readonly servers: readonly Server[];
  readonly paths: Readonly<Record<string, { readonly servers?: readonly Server[] }>>;
};
type Server = { readonly url: string };

const python = await installFuzzer().catch((error: Error) => {
  console.log(`SKIPPED: OpenAPI fuzzing: ${error.message.split('\n')[0]}`);
  console.log('0 passed, 0 failed, 1 skipped');
  return undefined;
});
if (python !== undefined) await fuzz(python);

async function fuzz(python: string): Promise<void> {
  console.log(`seed ${seed}: FUZZ_SEED=${seed} FUZZ_SECONDS=${seconds} npm run test:fuzz`);
  const sum = { passed: 0, failed: 0 };
  for (const part of parts) {
    // Of its own for each, so that the gateway is not asked about what is left of the groups.
    const world = await createWorld();
    try {
      const { passed, failures } = await fuzzPart(python, part, world);
      for (const failure of failures) console.log(`FAIL ${part.name}: ${failure}`);
      sum.passed += passed;
      sum.failed += failures.length;
    } finally {
      await world.remove();
    }
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  process.exitCode = sum.failed > 0 ? 1 : 0;
}

async function fuzzPart(python: string, { name, share }: Part, world: World) {
  const { service, upstreamUrl } = world;
  const documentUrl = `${service.managerUrl}/api/openapi.json`;
  const text = await (await fetch(documentUrl)).text();
  await validateDocument(python, text);
  const url = name === 'manager' ? service.managerUrl : service.gatewayUrl;
  const session = await openSession(service.groupUrl());
  const streams = await Promise.all(streamsOf(name, world, session.id));
  const tally = await runSchemathesis({
    ...{ python, documentUrl, url, seed, paths: pathsAt(JSON.parse(text), url) },
    seconds: Math.max(1, Math.round(seconds * share)),
    values: { FUZZ_UPSTREAM: upstreamUrl, FUZZ_SESSION: session.id },
  });
  const malformed = await sendMalformed(Number(new URL(url).port), seed, malformedRequests);
  const ofStreams = (await Promise.all(streams.map((stream) => stream.end()))).filter(
    (one) => one.length > 0,
  );
  const dead = service.isRunning() ? [] : [`The service ended. It wrote:\n${service.output().slice(-4000)}`];
  print(name, tally, malformed.length, streams.length);
  return {
    passed: tally.held + malformedRequests - malformed.length + streams.length - ofStreams.length,
    failures: [...tally.failures, ...malformed, ...ofStreams.map((one) => one.join('\n')), ...dead],
  };
}

function streamsOf(name: Part['name'], { service }: World, sessionId: string): Promise<OpenStream>[] {
  if (name === 'gateway') return [openStream(service.groupUrl(), { 'mcp-session-id': sessionId })];
  const logs = `${service.managerUrl}/api/servers/filesystem/logs?follow=1`;
  return [openStream(service.managerUrl + streamPath), openStream(logs)];
}

/** The paths that the document has at an address. */
function pathsAt({ servers: usual, paths }: Document, url: string): string[] {
  return Object.entries(paths)
    .filter(([, { servers = usual }]) => servers.some((server) => server.url === url))
    .map(([path]) => path)
    .filter((path) => path !== streamPath);
}

function print(name: string, tally: Tally, malformed: number, streams: number): void {
  const { requests, serverErrors, outOfSchema } = tally;
  const errors = Object.entries(serverErrors).map(([status, count]) => `${count} of ${status}`);
  console.log(
    `${name}: ${requests} requests, 5xx: ${errors.join(', ') || 'none'}, ${outOfSchema} answers out of schema; ` +
      `${malformedRequests} malformed requests, ${malformed} answered badly; ${streams} streams`,
  );
}
