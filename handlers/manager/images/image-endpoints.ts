import { literal, type } from 'superstruct';
import { ProvisionDetails, ProvisionStep } from '../../../lib/containers/images/provision-steps.ts';
import { DataAtRisk } from '../../../lib/containers/store/data-at-risk.ts';
import { type AnyStruct, either } from '../../../lib/json/json-schema.ts';
import type { Content, Endpoints } from '../../../lib/openapi/endpoint.ts';
import { FailureBody } from '../../../lib/openapi/failure-answers.ts';
import { ProvisionRequest } from '../../../lib/registry/provisioning/provision-request.ts';
import {
  ChangedImage,
  CheckedUpdate,
  changedImageFields,
  ProvisionedServer,
  provisionedFields,
} from '../servers/answers.ts';
import { fieldNames, ofImages, ofProvisioning } from '../servers/shared-failures.ts';
import { RollbackBody, UpdateBody } from './image-change-bodies.ts';

/** The calls on servers made from images, for the OpenAPI document and docs/api.md. They need a container engine. */

const path = { name: 'memory' };
const digest = 'sha256:5c1b8d7e0f9a4c3b2a1d6e8f7c9b0a1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b';
const noTools = { added: [], removed: [], changed: [] };

/** Step by step. */
function steps<Done extends AnyStruct>(done: Done) {
  return {
    mediaType: 'text/event-stream',
    description:
      'To callers that accept an event stream: `step` when a step begins or goes on, then `done` or `failed`. A failure before the first step is an answer of its own status.',
    events: { step: ProvisionStep, done, failed: FailureBody },
  } as const satisfies Content;
}

/** As JSON, or step by step. */
function inSteps<Fields extends AnyStruct, Done extends AnyStruct>(schema: Fields, done: Done) {
  return [
    { mediaType: 'application/json', description: 'When all is done.', schema, isSuccess: true },
    steps(done),
  ] as const satisfies readonly Content[];
}

/** Not a parameter: OpenAPI leaves `Accept` to the media types of answers. */
const inStepsSentence =
  'With `Accept: text/event-stream` the answer is a stream of the steps (section Events).';

const changed = type({ success: literal(true), ...changedImageFields });

export const imageEndpoints = {
  'POST /api/servers/provision': {
    summary: 'Makes a new server from an image.',
    description: [
      `Steps: \`pull\` the image, \`start\` a container, wait until it is \`ready\`, \`register\` it. When one fails, or the caller leaves, everything is undone: \`details\` has, as far as they apply, ${fieldNames(ProvisionDetails)}. New tools are in no group. A variable without a value is 422; a config that waits for its variables can be registered instead.`,
      'A name that is taken is 409 `conflict`, with a free name in `details.suggested_name`. Mounts by `source`, capabilities and references to secrets need administration rights.',
      inStepsSentence,
    ].join('\n\n'),
    body: ProvisionRequest,
    answers: {
      201: ProvisionedServer,
      200: [steps(type({ success: literal(true), ...provisionedFields }))],
    },
    failures: [...ofProvisioning, 'not_acceptable'],
    examples: [
      {
        name: 'provisioned',
        body: { name: 'memory', image: 'mcp/memory:latest', pull: 'missing' },
        status: 201,
        answer: { success: true, name: 'memory', container_running: true, warnings: [] },
      },
    ],
  },
  'POST /api/servers/{name}/update': {
    summary: 'Makes a server from the newer image of its reference.',
    description: [
      'Steps: `pull`, `start` and `ready` of a container beside the one that serves, `compare` the tools, `swap`. When one fails, or the caller leaves before `swap`, the older one serves as before. A server that has the newest image is answered with `unchanged`.',
      `Files in the container outside of volumes would be lost: that is 409 \`data_at_risk\`, unless \`discard_data\` is \`true\`; \`details\` has ${fieldNames(DataAtRisk)}. With \`check\` the answer is always JSON. A server without an image is 409 \`conflict\`.`,
      inStepsSentence,
    ].join('\n\n'),
    body: UpdateBody,
    isBodyOptional: true,
    answers: { 200: inSteps(either(ChangedImage, CheckedUpdate), changed) },
    failures: ['server_not_found', ...ofImages, 'not_acceptable'],
    examples: [
      {
        name: 'checked',
        path,
        body: { check: true },
        status: 200,
        answer: { success: true, message: 'Server memory has the newest image.', name: 'memory' },
      },
      {
        name: 'tried out',
        path,
        body: { dry_run: true },
        status: 200,
        answer: {
          success: true,
          name: 'memory',
          unchanged: true,
          old_digest: digest,
          new_digest: digest,
          tools: noTools,
        },
      },
    ],
  },
  'POST /api/servers/{name}/rollback': {
    summary: 'Makes a server from the image before.',
    description: [
      'As an update, without a registry: the image before is kept. Once more goes forward again. Where there is none the answer is 409 `conflict`.',
      inStepsSentence,
    ].join('\n\n'),
    body: RollbackBody,
    isBodyOptional: true,
    answers: { 200: inSteps(ChangedImage, changed) },
    failures: ['server_not_found', ...ofImages, 'not_acceptable'],
    examples: [
      {
        name: 'no image before',
        path,
        status: 409,
        answer: { success: false, code: 'conflict' },
      },
    ],
  },
} satisfies Endpoints;
