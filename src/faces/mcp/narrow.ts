import type { Choices } from '#kernel/operation';
import type { Tool } from '@modelcontextprotocol/server';

/**
 * A tool for one caller at the present time: its fields list the caller's choices. A field without choices has no list,
 * and the tool says what is missing, which helps a model more than a missing tool.
 */
export function narrowTool(tool: Tool, choices: Choices, publicUrl: string): Tool {
  const properties: Record<string, unknown> = { ...tool.inputSchema.properties };
  const empty: string[] = [];
  for (const [field, values] of Object.entries(choices)) {
    const schema = properties[field];
    if (!isSchema(schema)) throw new Error(`${tool.name} narrows '${field}', which is not an input field`);
    if (!values.length) empty.push(field);
    properties[field] = withValues(schema, values);
  }
  const description = empty.length
    ? `${tool.description} No account is connected for its ${empty.join(' or ')}: send the person to ${publicUrl}/integrations first.`
    : tool.description;
  const inputSchema = { ...tool.inputSchema, properties } as Tool['inputSchema']; // only lists of strings changed
  return { ...tool, description, inputSchema };
}

type Schema = { [key: string]: unknown };

function withValues(schema: Schema, values: readonly string[]): Schema {
  if (isSchema(schema['items'])) return { ...schema, items: withValues(schema['items'], values) };
  const { enum: _all, ...rest } = schema;
  return values.length ? { ...rest, enum: [...values] } : rest;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
