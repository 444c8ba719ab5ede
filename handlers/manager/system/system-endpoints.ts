import { string, type, unknown } from 'superstruct';
import { described, mapOf } from '../../../lib/json/json-schema.ts';
import type { Endpoints } from '../../../lib/openapi/endpoint.ts';
import { ChangeEvent, ServiceStatus } from './answers.ts';

/** The calls about the service as a whole, for the OpenAPI document and docs/api.md. */

const OpenApiDocument = described(type({ openapi: string(), paths: mapOf(string(), unknown()) }), {
  additionalProperties: true,
});

const part = { ok: true };

export const systemEndpoints = {
  'GET /': {
    summary: 'The dashboard.',
    description: 'No token is needed; the page asks for it.',
    answers: { 200: [{ mediaType: 'text/html', description: 'The page.' }] },
    failures: ['not_found'],
    examples: [{ name: 'page', status: 200 }],
  },
  'GET /static/{path}': {
    summary: 'The scripts and styles of the dashboard.',
    description:
      'A path may have several segments. No token is needed. `If-None-Match` is answered with 304.',
    answers: {
      200: [
        { mediaType: 'text/javascript', description: 'A script,' },
        { mediaType: 'text/css', description: 'a style,' },
        { mediaType: 'image/svg+xml', description: 'or an image.' },
      ],
      304: [],
    },
    failures: ['not_found'],
    examples: [{ name: 'script', path: { path: 'app.js' }, status: 200 }],
  },
  'GET /api/openapi.json': {
    summary: 'This API as an OpenAPI 3.1 document.',
    answers: {
      200: [{ mediaType: 'application/json', description: 'The document.', schema: OpenApiDocument }],
    },
    examples: [{ name: 'document', status: 200, answer: { openapi: '3.1.1' } }],
  },
  'GET /api/status': {
    summary: 'Says where the service is, what the caller may do, and what is down.',
    answers: { 200: ServiceStatus },
    examples: [
      {
        name: 'status',
        status: 200,
        answer: {
          success: true,
          default_group: 'svc-global',
          gateway_url: 'http://127.0.0.1:3700',
          manager_url: 'http://127.0.0.1:3701',
          groups_dir: 'groups',
          commands_allowed: false,
          protocol_version: '2025-11-25',
          tries_allowed: true,
          database: part,
          configs: part,
          secrets: { method: 'env_file', reachable: true },
        },
      },
    ],
  },
  'GET /api/events': {
    summary: 'Streams what changes, until the client leaves.',
    description:
      'Each event names a thing that changed; fetch it to see how. Nothing is repeated: after a lost connection fetch everything. Comments come every 15 s. No `Accept` is needed: `curl -N` on this path shows them.',
    answers: {
      200: [
        {
          mediaType: 'text/event-stream',
          description: 'Events without a name, whose data is JSON.',
          events: { message: ChangeEvent },
        },
      ],
    },
    examples: [{ name: 'events', status: 200 }],
  },
} satisfies Endpoints;
