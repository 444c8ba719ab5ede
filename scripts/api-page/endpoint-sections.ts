import { gatewayEndpoints } from '../../handlers/gateway/gateway-endpoints.ts';
import { managerEndpoints } from '../../handlers/manager/endpoints.ts';
import type { Endpoints, Example } from '../../lib/openapi/endpoint.ts';
import { failuresOfBodies, failuresOfEveryRequest } from '../../lib/openapi/failure-answers.ts';
import { fieldsOf, fieldTable, type Json, typeOf } from './schema-text.ts';

const endpoints: Endpoints = { ...managerEndpoints, ...gatewayEndpoints };
const saidOnce: readonly string[] = [...failuresOfEveryRequest, ...failuresOfBodies];

/** The endpoints of one tag as sections of docs/api.md. */
export function endpointSections(document: Json, tag: string): string {
  return Object.entries<Json>(document.paths)
    .flatMap(([path, item]) =>
      Object.entries<Json>(item)
        .filter(([, operation]) => operation.tags?.[0] === tag)
        .map(([method, operation]) => section(`${method.toUpperCase()} ${path}`, operation, document)),
    )
    .join('\n\n');
}

function section(title: string, operation: Json, document: Json): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'].schema;
  const inputs = parameters.filter((parameter: Json) => parameter.in !== 'path');
  return [
    `### ${title}`,
    [summary, description].filter(Boolean).join(' '),
    inputs.length > 0 ? parameterTable(inputs) : '',
    body === undefined ? '' : bodyText(body, requestBody.required === false),
    ...answerTexts(responses),
    failureLine(responses, document),
    ...exampleTexts(title),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function parameterTable(parameters: readonly Json[]): string {
  const fields = parameters.map((one) => ({
    name: one.in === 'query' ? `?${one.name}=` : `${one.name}:`,
    isOptional: !one.required,
    type: typeOf(one.schema),
    description: one.description ?? '',
  }));
  return fieldTable('parameter', fields);
}

function bodyText(schema: Json, isOptional: boolean): string {
  const what = isOptional ? 'body, optional' : 'body';
  const fields = schema.properties ? fieldsOf(schema) : [];
  return fields.length > 0 ? fieldTable(what, fields) : `Body: ${typeOf(schema)}.`;
}

/** Statuses with one and the same answer are one table. */
function answerTexts(responses: Json): string[] {
  const byContent = new Map<string, { readonly statuses: string[]; readonly answer: Json }>();
  for (const [status, answer] of Object.entries<Json>(responses)) {
    const key = JSON.stringify(
      answer.$ref ?? Object.values<Json>(answer.content ?? {}).map(({ schema }) => schema),
    );
    const known = byContent.get(key);
    if (known) known.statuses.push(status);
    else byContent.set(key, { statuses: [status], answer });
  }
  return [...byContent.values()].map(({ statuses, answer }) => answerText(statuses.join(', '), answer));
}

function answerText(status: string, answer: Json): string {
  if (answer.$ref) return '';
  if (answer.content === undefined) return `Answer ${status}, without a body.`;
  const texts = Object.entries<Json>(answer.content).map(([mediaType, content]) =>
    contentText(status, mediaType, content),
  );
  return texts.join('\n\n');
}

function contentText(status: string, mediaType: string, { schema, ...content }: Json): string {
  if (content['x-events']) return eventTexts(status, content['x-events']);
  if (mediaType !== 'application/json') return `Answer ${status}: \`${mediaType}\`.`;
  const fields = fieldsOf(schema);
  return fields.length > 0 ? fieldTable(`answer ${status}`, fields) : `Answer ${status}: ${typeOf(schema)}.`;
}

function eventTexts(status: string, events: Json): string {
  return Object.entries<Json>(events)
    .map(([event, schema]) => {
      const fields = schema.properties ? fieldsOf(schema) : [];
      const title = event === 'message' ? `data of each event, ${status}` : `data of event \`${event}\``;
      return fields.length > 0 ? fieldTable(title, fields) : `Answer ${status}, ${title}: ${typeOf(schema)}.`;
    })
    .join('\n\n');
}

/** What every request may be answered with is said once, under Error codes. */
function failureLine(responses: Json, document: Json): string {
  const codes = Object.values<Json>(responses).flatMap((answer) => codesOf(answer, document));
  const own = [...new Set(codes)].filter((code) => !saidOnce.includes(code));
  return own.length > 0 ? `Fails with ${own.map((code) => `\`${code}\``).join(', ')}.` : '';
}

function codesOf(answer: Json, document: Json): string[] {
  const name = answer.$ref?.split('/').at(-1);
  if (name === undefined) return [];
  const { description } = document.components.responses[name];
  return description.split(', ').map((code: string) => code.replaceAll('`', ''));
}

function exampleTexts(title: string): string[] {
  const { examples = [] } = endpoints[title as keyof Endpoints] ?? {};
  return examples
    .filter(({ answer }) => answer !== undefined)
    .map((example) => {
      const answer = `${example.status} ${JSON.stringify(example.answer)}`;
      return ['```http', requestLines(title, example), '', answer, '```'].join('\n');
    });
}

function requestLines(title: string, { path = {}, query, headers = {}, body }: Example): string {
  const filled = title.replace(/\{(\w+)\}/g, (_, name) => path[name] ?? '');
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${filled}${search}`, ...lines, ...(body === undefined ? [] : [JSON.stringify(body)])].join('\n');
}
