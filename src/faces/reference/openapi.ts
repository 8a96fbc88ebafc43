import type { Catalogue } from '#kernel/catalogue';
import { errorStatus, type ErrorCode } from '#kernel/errors';
import type { Operation, Route } from '#kernel/operation';
import { version } from '#platform/config';
import { schemasOf, type JsonSchema, type OperationSchemas } from './schemas.ts';

/** Errors that any call can get, beside those that its operation names. */
const commonErrors: readonly ErrorCode[] = [
  'unauthenticated',
  'forbidden',
  'invalid_input',
  'rate_limited',
  'internal',
];

/** The OpenAPI 3.1 description of every operation, by its tool route and its documented routes. */
export function openApi(catalogue: Catalogue, publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  const components: Components = { Problem: problem };
  for (const operation of catalogue.values()) {
    const { input, output } = schemasOf(operation);
    const schemas = {
      input: shared(input, `${operation.name}_input`, components),
      output: shared(output, `${operation.name}_output`, components),
    };
    const routes: Route[] = [{ method: 'POST', path: `/v1/tools/${operation.name}` }, ...(operation.rest ?? [])];
    for (const [position, route] of routes.entries()) {
      const id = position === 0 ? operation.name : `${operation.name}_${position}`;
      (paths[route.path] ??= {})[route.method.toLowerCase()] = describe(operation, schemas, route, id);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Thalamus',
      version,
      description: 'Shared memory, integrations without credentials, and writes that wait for approval.',
    },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A `cm_` key.' } },
      schemas: components,
    },
  };
}

type Components = Record<string, unknown>;

/** A schema whose own definitions were moved to the document's, which is where its references are looked up. */
function shared(schema: JsonSchema, owner: string, components: Components): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', `"#/components/schemas/${owner}`);
  const { $defs = {}, ...rest } = JSON.parse(text) as JsonSchema & { $defs?: Components };
  for (const [name, definition] of Object.entries($defs)) components[`${owner}${name}`] = definition;
  return rest;
}

function describe(operation: Operation, { input, output }: OperationSchemas, route: Route, operationId: string) {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const properties = Object.entries(input.properties ?? {});
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const parameters = properties
    .filter(([name]) => inPath.includes(name) || !hasBody)
    .map(([name, schema]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || (input.required ?? []).includes(name),
      schema,
    }));
  const [example] = operation.examples;
  return {
    operationId,
    summary: operation.summary,
    tags: [operation.toolset],
    'x-scope': operation.access.scope,
    'x-effect': operation.effect,
    parameters,
    ...(hasBody && {
      requestBody: {
        content: {
          'application/json': { schema: without(input, inPath), example: withoutKeys(example?.input ?? {}, inPath) },
        },
      },
    }),
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: output } } },
      ...Object.fromEntries(
        [...commonErrors, ...operation.errors].map((code) => [errorStatus[code], problemResponse(code)]),
      ),
    },
  };
}

function without(schema: Record<string, unknown>, names: readonly string[]) {
  if (!names.length) return schema;
  const { properties, required } = schema as { properties?: Record<string, unknown>; required?: string[] };
  return {
    ...schema,
    properties: withoutKeys(properties ?? {}, names),
    required: (required ?? []).filter((name) => !names.includes(name)),
  };
}

function withoutKeys(record: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function problemResponse(code: ErrorCode) {
  return {
    description: code,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

const problem = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What was wrong and what to do next.' },
    code: { type: 'string', enum: Object.keys(errorStatus) },
    request_id: { type: 'string' },
    details: { type: 'object' },
  },
};
