import { enums, literal, string, type } from 'superstruct';
import { about } from '../lib/json/json-schema.ts';
import type { Endpoints } from '../lib/openapi/endpoint.ts';

/** The calls of both sets that say whether the process works, for the OpenAPI document and docs/api.md. */

const Alive = type({ status: literal('ok') });
const Ready = type({ status: literal('ready') });
const NotReady = type({ status: enums(['not ready']), reason: about(string(), 'Why not, in a sentence.') });

const json = 'application/json';

export const probeEndpoints = {
  'GET /healthz': {
    summary: 'Answers while the process runs.',
    description: 'No token is needed.',
    answers: { 200: [{ mediaType: json, description: 'It runs.', schema: Alive }] },
    examples: [{ name: 'alive', status: 200, answer: { status: 'ok' } }],
  },
  'GET /readyz': {
    summary: 'Says whether the database is reached and everything is loaded.',
    description: 'No token is needed.',
    answers: {
      200: [{ mediaType: json, description: 'It is ready.', schema: Ready }],
      503: [{ mediaType: json, description: 'It is not, with `Retry-After`.', schema: NotReady }],
    },
    examples: [{ name: 'ready', status: 200, answer: { status: 'ready' } }],
  },
  'GET /metrics': {
    summary: 'Metrics for Prometheus.',
    answers: {
      200: [{ mediaType: 'text/plain', description: 'The text format of Prometheus, version 0.0.4.' }],
    },
    examples: [{ name: 'metrics', status: 200 }],
  },
} satisfies Endpoints;
