import { string } from 'superstruct';
import {
  type AnyStruct,
  createSchemaWriter,
  described,
  isOptional,
  type JsonSchema,
  type SchemaWriter,
} from '../json/json-schema.ts';
import type { Content, Endpoint, Endpoints, Example } from './endpoint.ts';
import { failureAnswers } from './failure-answers.ts';

/**
 * The OpenAPI document (spec.openapis.org/oas/v3.1.1) of both route tables, made from the structs that check requests and
 * that type answers.
 */
export interface ApiSets {
  readonly manager: Endpoints;
  readonly gateway: Endpoints;
}

export interface ApiFacts {
  readonly version: string;
  readonly managerUrl: string;
  readonly gatewayUrl: string;
}

type PathItem = Record<string, JsonSchema | readonly JsonSchema[]>;

export function createDocument(sets: ApiSets, { version, managerUrl, gatewayUrl }: ApiFacts): JsonSchema {
  const writer = createSchemaWriter((name) => `#/components/schemas/${name}`);
  const failures = new Map<string, JsonSchema>();
  const paths: Record<string, PathItem> = {};
  const manager = { url: managerUrl, description: 'The manager' };
  const gateway = { url: gatewayUrl, description: 'The gateway' };
  for (const [key, endpoint] of Object.entries({ ...sets.manager, ...sets.gateway })) {
    const [method = '', path = ''] = key.split(' ');
    const servers = [...(key in sets.manager ? [manager] : []), ...(key in sets.gateway ? [gateway] : [])];
    const item = { ...paths[path], [method.toLowerCase()]: operation(key, endpoint, writer, failures) };
    paths[path] = servers[0] === manager && servers.length === 1 ? item : { servers, ...item };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'MCP gateway',
      version,
      description: 'The manager API, and the paths of the gateway. docs/api.md is the same for people.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [manager],
    security: [{}, { token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: '`ADMIN_TOKEN` for the manager, `GATEWAY_TOKEN` for the gateway, where they are set.',
        },
      },
      schemas: writer.components(),
      responses: Object.fromEntries([...failures].sort(byName)),
    },
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function operation(
  key: string,
  endpoint: Endpoint,
  writer: SchemaWriter,
  failures: Map<string, JsonSchema>,
): JsonSchema {
  const { summary, description, examples = [] } = endpoint;
  return {
    operationId: operationId(key),
    tags: [tagOf(key)],
    summary,
    ...(description === undefined ? {} : { description }),
    ...parametersOf(key, endpoint, writer),
    ...bodyOf(endpoint, writer),
    responses: {
      ...successAnswers(endpoint, examples, writer),
      ...failureAnswers(endpoint, writer, failures),
    },
  };
}

/** The section of docs/api.md. */
function tagOf(key: string): string {
  const path = key.split(' ')[1] ?? '';
  if (/^\/(v0|mcp|api\/v0)\b/.test(path)) return 'gateway';
  if (/^\/api\/(tools|current|update)\b/.test(path)) return 'tools';
  if (path.startsWith('/api/groups')) return 'groups';
  return path.startsWith('/api/servers') ? 'servers' : 'service';
}

/** `POST /api/tools/{tool}/try` → `postApiToolsToolTry`. */
function operationId(key: string): string {
  const words = key
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const [method = '', ...rest] = words;
  return (
    method +
    rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('') +
    (rest.length === 0 ? 'Root' : '')
  );
}

/** A segment that is empty is another path. */
const PathSegment = described(string(), { minLength: 1 });

function parametersOf(key: string, endpoint: Endpoint, { write }: SchemaWriter): JsonSchema {
  const { path = {}, query = {}, headers = {}, examples = [] } = endpoint;
  const segments = [...key.matchAll(/\{(\w+)\}/g)].map(([, name = '']): [string, AnyStruct] => [
    name,
    path[name] ?? PathSegment,
  ]);
  const parameter =
    (place: 'path' | 'query' | 'header') =>
    ([name, struct]: [string, AnyStruct]) => {
      const { description, ...schema } = write(struct);
      const values = (one: Example) => (place === 'header' ? one.headers : one[place])?.[name];
      return {
        name,
        in: place,
        required: !isOptional(struct),
        ...(description === undefined ? {} : { description }),
        schema,
        ...examplesOf(examples, values),
      };
    };
  const parameters = [
    ...segments.map(parameter('path')),
    ...Object.entries(query).map(parameter('query')),
    ...Object.entries(headers).map(parameter('header')),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function bodyOf({ body, isBodyOptional, examples = [] }: Endpoint, { write }: SchemaWriter): JsonSchema {
  if (body === undefined) return {};
  const content = { schema: write(body), ...examplesOf(examples, (one) => one.body) };
  return { requestBody: { required: isBodyOptional !== true, content: { 'application/json': content } } };
}

function examplesOf(examples: readonly Example[], read: (example: Example) => unknown): JsonSchema {
  const values = examples.flatMap((one) => {
    const value = read(one);
    return value === undefined ? [] : [[one.name, { value }] as const];
  });
  return values.length > 0 ? { examples: Object.fromEntries(values) } : {};
}

function successAnswers(
  { answers }: Endpoint,
  examples: readonly Example[],
  writer: SchemaWriter,
): Record<string, JsonSchema> {
  const entries = Object.entries(answers).map(([status, answer]) => {
    const shown = examplesOf(examples, (one) => (one.status === Number(status) ? one.answer : undefined));
    const contents: readonly Content[] = Array.isArray(answer)
      ? answer
      : [
          {
            mediaType: 'application/json',
            description: '',
            schema: answer as Content['schema'],
            isSuccess: true,
          },
        ];
    const content = contents.map((one) => [
      one.mediaType,
      { ...contentOf(one, writer), ...(one.mediaType === 'application/json' ? shown : {}) },
    ]);
    const description =
      contents
        .map((one) => one.description)
        .filter(Boolean)
        .join(' ') || 'Done.';
    return [
      status,
      { description, ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}) },
    ] as const;
  });
  return Object.fromEntries(entries);
}

function contentOf({ schema, events, isSuccess }: Content, { write }: SchemaWriter): JsonSchema {
  if (events !== undefined) {
    const data = Object.entries(events).map(([event, struct]) => [event, write(struct)]);
    return { schema: { type: 'string' }, 'x-events': Object.fromEntries(data) };
  }
  if (schema === undefined) return { schema: { type: 'string' } };
  return { schema: isSuccess ? withSuccess(write(schema)) : write(schema) };
}

/** Of each, where there are several. */
function withSuccess(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: schema.anyOf.map(withSuccess) };
  const {
    properties = {},
    required = [],
    ...rest
  } = schema as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  return {
    ...rest,
    properties: { success: { const: true }, ...properties },
    required: ['success', ...required],
  };
}
