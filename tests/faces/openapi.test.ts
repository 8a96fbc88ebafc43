// What `spectral lint` and `redocly lint` check of an OpenAPI document, as far as it can go wrong here.
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { scopes } from '#kernel/scopes';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProduct } from '../../src/server.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

type Parameter = { name: string; in: string; required: boolean; schema: object } | { $ref: string };
type DescribedOperation = {
  operationId: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  responses: Record<string, { headers?: object }>;
};
type OpenApi = {
  info: { contact: object; license: object };
  tags: { name: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    securitySchemes: { oauth: { flows: { authorizationCode: Record<string, string> & { scopes: object } } } };
  };
};

let server: TestServer;
let openApi: OpenApi;
beforeAll(async () => {
  server = await startTestServer();
  openApi = (await (await server.request('/openapi.json')).json()) as OpenApi;
});
afterAll(() => server.close());

const listDescribed = () =>
  Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ path, method, each })),
  );

test('no two paths differ only in the names of their parameters', () => {
  const shapes = Object.keys(openApi.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  expect(shapes.filter((shape, position) => shapes.indexOf(shape) !== position)).toEqual([]);
});

test('every id names its operation or its route, and none is counted', () => {
  const ids = listDescribed().map(({ each }) => each.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9_]*(?<!_\d+)$/);
  expect(openApi.paths['/v1/page']?.['get']?.operationId).toBe('get_v1_page');
});

test('every route has a description and tags that are defined, and the document a contact and a licence', () => {
  const tags = openApi.tags.map(({ name }) => name);
  expect(new Set(tags).size).toBe(tags.length);
  for (const { each } of listDescribed()) {
    expect(each.description.length).toBeGreaterThan(10);
    expect(tags).toEqual(expect.arrayContaining(each.tags));
  }
  expect(openApi.info).toMatchObject({ contact: { name: expect.any(String) }, license: { identifier: 'Apache-2.0' } });
});

test('every example fits the schema of its body', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...openApi });
  for (const { path, each } of listDescribed()) {
    const { schema, example } = each.requestBody?.content['application/json'] ?? {};
    if (!schema) continue;
    const inDocument = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components', '"document#/components'),
    ) as object;
    const isFit = ajv.validate(inDocument, example);
    expect([path, isFit || ajv.errorsText()]).toEqual([path, true]);
  }
});

test('a key or a token with the scope of the operation is asked for', () => {
  const { authorizationCode } = openApi.components.securitySchemes.oauth.flows;
  expect(scopes).toEqual(expect.arrayContaining(Object.keys(authorizationCode.scopes)));
  expect(authorizationCode).toMatchObject({ tokenUrl: expect.stringMatching(/\/oauth\/token$/) });
  const security = (path: string) => openApi.paths[path]?.['post']?.security;
  expect(security('/v1/tools/search_memory')).toEqual([{ key: [] }, { oauth: ['memory:read'] }]);
  expect(security('/v1/tools/confirm_action')).toEqual([{ key: [] }]); // no token can approve
});

test('a write takes an Idempotency-Key, and every route may answer Retry-After', async () => {
  const repeatable = { $ref: '#/components/parameters/IdempotencyKey' };
  const operations = await describeProduct();
  for (const { path, method, each } of listDescribed()) {
    const operation = operations.get(path.replace('/v1/tools/', ''));
    if (operation)
      expect(
        each.parameters.some((parameter) => '$ref' in parameter && parameter.$ref === repeatable.$ref),
        path,
      ).toBe(operation.effect !== 'read' && !operation.hasSecretAnswer);
    for (const status of ['429', '503'])
      expect(each.responses[status]?.headers, `${method} ${path}`).toHaveProperty('Retry-After');
  }
});

describe('the reference on the wire', () => {
  /** `fetch` would unpack the answer. */
  async function ask(path: string, sent: Record<string, string>) {
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${server.url}${path}`, { headers: sent }, resolve).on('error', reject),
    );
    const { statusCode: status, headers } = response;
    return { status, headers, bytes: await buffer(response) };
  }

  test.for(['/openapi.json', '/llms.txt', '/sdks/automation-sdk-v1.ts', '/docs/assets/swagger-ui.css'])(
    '%s is packed for a client that takes gzip, and not sent again to one that has it',
    async (path) => {
      const whole = await ask(path, {});
      const packed = await ask(path, { 'accept-encoding': 'br, gzip;q=0.5' });
      expect([whole.status, whole.headers['content-encoding']]).toEqual([200, undefined]);
      expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
      expect(gunzipSync(packed.bytes).equals(whole.bytes)).toBe(true);
      expect(packed.bytes.length).toBeLessThan(whole.bytes.length / 2);
      const { etag = '' } = whole.headers;
      for (const tag of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*'])
        expect((await ask(path, { 'if-none-match': tag })).status, tag).toBe(304);
      expect((await ask(path, { 'if-none-match': '"other"' })).status).toBe(200);
      expect((await ask(path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
    },
  );
});
