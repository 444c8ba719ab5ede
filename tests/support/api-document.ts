import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createParser } from 'eventsource-parser';
import { apiDocument } from '../../handlers/api-document.ts';

/** Answers of the service against its own OpenAPI document: what a client made from that document could not read. */

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as any JSON
type Json = any;

export const document: Json = apiDocument({
  version: '0.1.0',
  managerUrl: 'http://127.0.0.1:3701',
  gatewayUrl: 'http://127.0.0.1:3700',
});

export interface Answer {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
}

/** @throws Error with all that a client made from the document could not read. */
export function assertAnswer(answer: Answer): void {
  const problems = problemsOfAnswer(answer);
  if (problems.length > 0)
    throw new Error(`An answer is not as the OpenAPI document has it.\n${problems.join('\n')}`);
}

/** Clients must bear fields that they do not know; the document has to name all that are sent nevertheless. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { enum: values, const: constant, required, examples, example, ...rest } = schema;
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, closed(value)]));
  const isOpen =
    typeof rest.properties === 'object' && rest.additionalProperties === undefined && rest.type === 'object';
  return {
    ...inner,
    ...(values === undefined ? {} : { enum: values }),
    ...('const' in schema ? { const: constant } : {}),
    ...(required === undefined ? {} : { required }),
    ...(isOpen ? { unevaluatedProperties: false } : {}),
  };
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'api:', components: { schemas: closed(document.components.schemas) } });
const validators = new Map<unknown, ValidateFunction>();

/** Problems in sentences; none for an answer as the document has it. */
export function problemsOfAnswer({ method, path, status, mediaType, text }: Answer): string[] {
  const at = `${method} ${path} ${status}`;
  const template = templateOf(path.split('?')[0] ?? '');
  const operation = template && document.paths[template][method.toLowerCase()];
  if (!operation)
    return status >= 400
      ? problemsOfJson({ $ref: 'api:#/components/schemas/Failure' }, text, at)
      : [`${at}: not in the document`];
  const answer = resolved(operation.responses[status]);
  if (!answer) return [`${at}: the document has no such status`];
  if (answer.content === undefined) return text === '' ? [] : [`${at}: the document has no body`];
  const content = answer.content[mediaType];
  if (!content) return [`${at}: the document has no ${mediaType}`];
  if (content['x-events']) return problemsOfEvents(content['x-events'], text, at);
  return mediaType === 'application/json' ? problemsOfJson(content.schema, text, at) : [];
}

function resolved(answer: Json): Json {
  const name = answer?.$ref?.split('/').at(-1);
  return name === undefined ? answer : document.components.responses[name];
}

function problemsOfEvents(events: Json, text: string, at: string): string[] {
  const problems: string[] = [];
  const parser = createParser({
    onEvent({ event = 'message', data }) {
      problems.push(
        ...(events[event]
          ? problemsOfJson(events[event], data, `${at} ${event}`)
          : [`${at}: event ${event}`]),
      );
    },
  });
  parser.feed(text);
  return problems;
}

function problemsOfJson(schema: Json, text: string, at: string): string[] {
  const validate = validators.get(schema) ?? ajv.compile(referring(closed(schema)));
  validators.set(schema, validate);
  if (validate(JSON.parse(text))) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${at}: ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function referring(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api:#/components/'));
}

/** The media type without parameters. */
export function mediaTypeOf(headers: Headers): string {
  return headers.get('content-type')?.split(';')[0]?.trim() ?? '';
}

/** The path of the document that a request's path is of; one without parameters comes first. */
export function templateOf(path: string): string | undefined {
  if (document.paths[path]) return path;
  return Object.keys(document.paths).find((template) => patternOf(template).test(path));
}

function patternOf(template: string): RegExp {
  const pattern = template.replace('{path}', '.+').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}
