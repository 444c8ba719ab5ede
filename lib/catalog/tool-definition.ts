import type { StoredTool } from './catalog.ts';

/** What we read out of a raw tool definition; everything else in it passes through unread. */

/** Empty when the server gave none. */
export function descriptionIn(definition: string): string {
  const { description } = JSON.parse(definition) as { description?: unknown };
  return typeof description === 'string' ? description : '';
}

/** What the manager API says about a tool wherever it shows one (contract section 1). */
export interface ToolFields {
  /** Full name. */
  readonly name: string;
  readonly description: string;
  readonly title?: unknown;
  readonly annotations?: unknown;
  readonly input_schema: unknown;
}

export function toolFields(tool: StoredTool): ToolFields {
  const { title, annotations, inputSchema } = JSON.parse(tool.shown) as Record<string, unknown>;
  return {
    name: tool.fullName,
    description: tool.description,
    title,
    annotations,
    input_schema: inputSchema,
  };
}
