import type { Operation } from '#kernel/operation';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema>; required?: string[] };
export type OperationSchemas = { input: JsonSchema; output: JsonSchema };

const made = new WeakMap<Operation, OperationSchemas>();

/** JSON Schemas (2020-12) of an operation's input and output, made once for each operation. */
export function getOperationSchemas(operation: Operation): OperationSchemas {
  let schemas = made.get(operation);
  if (!schemas)
    made.set(operation, (schemas = { input: buildInputSchema(operation), output: buildOutputSchema(operation) }));
  return schemas;
}

function buildInputSchema(operation: Operation): JsonSchema {
  return withoutDialect(z.toJSONSchema(operation.input, { io: 'input' }));
}

function buildOutputSchema(operation: Operation): JsonSchema {
  return withoutDialect(z.toJSONSchema(operation.output, { io: 'output' }));
}

function withoutDialect(schema: z.core.JSONSchema.BaseSchema): JsonSchema {
  delete schema.$schema;
  return schema as JsonSchema; // zod's type is wider than what our schemas produce
}
