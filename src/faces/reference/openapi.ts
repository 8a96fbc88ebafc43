import type { Catalogue } from '#kernel/catalogue';
import { errorStatus, type ErrorCode } from '#kernel/errors';
import type { Operation, Route } from '#kernel/operation';
import { scopeWords, type Scope } from '#kernel/scopes';
import { isGrantable, routes as oauthRoutes } from '#modules/oauth-server';
import { version } from '#platform/config';
import { getOperationSchemas, type JsonSchema, type OperationSchemas } from './schemas.ts';

/** Errors that any call can have, in addition to those that its operation declares. */
const commonErrors: readonly ErrorCode[] = [
  'unauthenticated',
  'forbidden',
  'invalid_input',
  'rate_limited',
  'unavailable',
  'internal',
];
/** Errors of a body, before the operation reads it. */
const bodyErrors: readonly ErrorCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type'];

/** The OpenAPI 3.1 description of every operation, by its tool route and its documented routes. */
export function openApi(catalogue: Catalogue, publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Components = { Problem: problem };
  const findPath = createFindPath();
  for (const operation of catalogue.values()) {
    const { input, output } = getOperationSchemas(operation);
    const own = {
      input: shareDefinitions(input, `${operation.name}_input`, schemas),
      output: shareDefinitions(output, `${operation.name}_output`, schemas),
    };
    const routes: Route[] = [{ method: 'POST', path: `/v1/tools/${operation.name}` }, ...(operation.rest ?? [])];
    for (const [position, route] of routes.entries()) {
      const path = findPath(route.path);
      const id = position === 0 ? operation.name : formatRouteId({ ...route, path });
      (paths[path] ??= {})[route.method.toLowerCase()] = describe(operation, own, { ...route, path }, id);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Thalamus',
      version,
      description: 'Shared memory, integrations without credentials, and writes that wait for approval.',
      contact: { name: 'The operator of this server', url: publicUrl },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    tags: [...new Set([...catalogue.values()].map(({ toolset }) => toolset))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: buildSecuritySchemes(publicUrl),
      parameters: { IdempotencyKey: idempotencyKey },
      headers: { RetryAfter: retryAfter },
      schemas,
    },
  };
}

/** A key; or a token of the server's own authorization server, which clients register with. */
function buildSecuritySchemes(publicUrl: string) {
  const scopes = Object.fromEntries(Object.entries(scopeWords).filter(([scope]) => isGrantable(scope as Scope)));
  const flow = {
    authorizationUrl: `${publicUrl}${oauthRoutes.authorize}`,
    tokenUrl: `${publicUrl}${oauthRoutes.token}`,
    refreshUrl: `${publicUrl}${oauthRoutes.token}`,
    scopes,
  };
  return {
    key: { type: 'http', scheme: 'bearer', description: 'A `cm_` key.' },
    oauth: {
      type: 'oauth2',
      description: `OAuth 2.1 with PKCE; its metadata: ${publicUrl}/.well-known/oauth-authorization-server`,
      flows: { authorizationCode: flow },
    },
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key gets the answer of the first one, for 24 hours.',
  schema: { type: 'string', maxLength: 255 },
};

const retryAfter = {
  description: 'After how many seconds the request may be repeated.',
  schema: { type: 'integer', minimum: 0 },
};

/**
 * Creates the function that names the path parameters of a route. OpenAPI treats paths that differ only in parameter
 * names as one path, so a later route uses the names of the first, matched by position.
 */
function createFindPath(): (path: Route['path']) => Route['path'] {
  const known = new Map<string, Route['path']>();
  return function findPath(path) {
    const shape = path.replaceAll(/\{\w+\}/g, '{}');
    const first = known.get(shape) ?? path;
    known.set(shape, first);
    return first;
  };
}

/** The id of a documented route, from its method and its path: `get_v1_pages_by_slug`. */
function formatRouteId({ method, path }: Route): string {
  const words = path.split('/').map((part) => part.replace(/^\{(\w+)\}$/, 'by_$1').replaceAll(/\W+/g, '_'));
  return [method.toLowerCase(), ...words.filter(Boolean)].join('_');
}

type Components = Record<string, unknown>;

/** A schema whose own definitions were moved to the document's, where its references are looked up. */
function shareDefinitions(schema: JsonSchema, owner: string, components: Components): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', `"#/components/schemas/${owner}`);
  const { $defs = {}, ...rest } = JSON.parse(text) as JsonSchema & { $defs?: Components };
  for (const [name, definition] of Object.entries($defs)) components[`${owner}${name}`] = definition;
  return rest;
}

function describe(operation: Operation, { input, output }: OperationSchemas, route: Route, operationId: string) {
  const inPath = findPathFields(operation, route);
  const properties = Object.entries(input.properties ?? {});
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  const fields = properties
    .filter(([name]) => inPath.has(name) || !hasBody)
    .map(([name, schema]) => ({
      name: inPath.get(name) ?? name,
      in: inPath.has(name) ? 'path' : 'query',
      required: inPath.has(name) || (input.required ?? []).includes(name),
      schema,
    }));
  const { effect, hasSecretAnswer = false } = operation;
  const { scope } = operation.access;
  const isRepeatable = effect !== 'read' && !hasSecretAnswer;
  const names = [...inPath.keys()];
  const [example] = operation.examples;
  return {
    operationId,
    summary: operation.summary,
    description: `${operation.summary} Needs the scope \`${scope}\`.`,
    tags: [operation.toolset],
    security: [{ key: [] }, ...(isGrantable(scope) ? [{ oauth: [scope] }] : [])],
    'x-scope': scope,
    'x-effect': effect,
    parameters: [...fields, ...(isRepeatable ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [])],
    ...(hasBody && {
      requestBody: {
        content: {
          'application/json': { schema: without(input, names), example: withoutKeys(example?.input ?? {}, names) },
        },
      },
    }),
    responses: {
      200: { description: 'OK', content: { 'application/json': { schema: output } } },
      ...buildProblemResponses([...commonErrors, ...(hasBody ? bodyErrors : []), ...operation.errors]),
    },
  };
}

/** The fields of an operation that are in a path, with the path's name for each. */
function findPathFields({ rest = [] }: Operation, { method, path }: Route): Map<string, string> {
  const shape = path.replaceAll(/\{\w+\}/g, '{}');
  const own = rest.find((each) => each.method === method && each.path.replaceAll(/\{\w+\}/g, '{}') === shape);
  const listNames = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const shown = listNames(path);
  return new Map(listNames(own?.path ?? path).map((field, position) => [field, shown[position] ?? field]));
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

/** The statuses of these errors, each with the codes that have it. */
function buildProblemResponses(codes: readonly ErrorCode[]) {
  const byStatus = Map.groupBy(new Set(codes), (code) => errorStatus[code]);
  return Object.fromEntries([...byStatus].map(([status, same]) => [status, buildProblemResponse(status, same)]));
}

function buildProblemResponse(status: number, codes: readonly ErrorCode[]) {
  const mayComeBack = status === errorStatus.rate_limited || status === errorStatus.unavailable;
  return {
    description: codes.join(' or '),
    ...(mayComeBack && { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }),
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
