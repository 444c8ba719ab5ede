/** A JSON Schema of the OpenAPI document as the words of a table cell, and its fields as rows. */

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as any JSON
export type Json = any;

export interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: string;
  readonly description: string;
}

/** The fields of an object, those of objects within it as `a.b`, of lists as `a[].b`, of maps as `a.*.b`. Records are only named. */
export function fieldsOf(schema: Json, prefix = ''): Field[] {
  const required = new Set<string>(schema.required ?? []);
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([key, value]) => {
    if (key === 'success') return [];
    const name = `${prefix}${key}`;
    const field = {
      name,
      isOptional: !required.has(key),
      type: typeOf(value),
      description: value.description ?? '',
    };
    return [field, ...innerFieldsOf(value, name)];
  });
}

function innerFieldsOf(schema: Json, name: string): Field[] {
  const { items, properties, additionalProperties: values } = schema;
  if (items?.properties) return fieldsOf(items, `${name}[].`);
  if (properties) return fieldsOf(schema, `${name}.`);
  return values?.properties ? fieldsOf(values, `${name}.*.`) : [];
}

export function typeOf(schema: Json): string {
  if (schema.$ref) return recordLink(schema.$ref.split('/').at(-1));
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value: unknown) => `\`${value}\``).join(', ');
  const [type, ...others] = [schema.type ?? 'any'].flat();
  const words = [wordOf(type, schema), ...others].join(' or ');
  return 'default' in schema ? `${words}; default \`${JSON.stringify(schema.default)}\`` : words;
}

function wordOf(type: string, schema: Json): string {
  switch (type) {
    case 'array':
      return `list of ${typeOf(schema.items ?? {})}`;
    case 'object':
      return schema.additionalProperties && schema.additionalProperties !== true && !schema.properties
        ? `object of ${typeOf(schema.additionalProperties)}`
        : 'object';
    case 'integer':
    case 'number': {
      const { minimum, maximum } = schema;
      const bounds =
        minimum === undefined ? '' : maximum === undefined ? ` from ${minimum}` : ` ${minimum} to ${maximum}`;
      return `${type}${bounds}`;
    }
    case 'string':
      return schema.maxLength === undefined ? 'string' : `string to ${schema.maxLength}`;
    default:
      return type;
  }
}

function recordLink(name: string): string {
  return name === 'Failure' ? '[failure](#answers)' : `[${name}](#record-${name.toLowerCase()})`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
}

export function fieldTable(what: string, fields: readonly Field[]): string {
  return table(
    [what, 'type', ''],
    fields.map(({ name, isOptional, type, description }) => [
      `\`${name}\`${isOptional ? '?' : ''}`,
      type,
      description,
    ]),
  );
}
