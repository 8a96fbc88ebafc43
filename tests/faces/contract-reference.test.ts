import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorStatus } from '#kernel/errors';
import type { Operation, Route } from '#kernel/operation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProduct, describeRoutes } from '../../src/server.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const operations = [...(await describeProduct()).values()];
const listRoutes = ({ name, rest = [] }: Operation): Route[] => [
  { method: 'POST', path: `/v1/tools/${name}` },
  ...rest,
];
const documented = operations.flatMap(listRoutes);

/** The routes that ARCHITECTURE.md lists as no operations. */
function readListedRoutes(): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../ARCHITECTURE.md'), 'utf8');
  const table = /<!-- routes -->(.*)<!-- \/routes -->/s.exec(text)?.[1] ?? '';
  const cells = table.split('\n').map((line) => line.split('|')[1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, route = '']) => route));
}

/** Served to every request, and the answer to the name of an operation that is none. */
const notRoutes = ['ALL /*', 'POST /v1/tools/:name'];

type Parameter = { name: string; in: string; required: boolean; schema: unknown };
type DescribedOperation = {
  operationId: string;
  summary: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { description: string; content: Record<string, { schema: unknown }> }>;
  'x-scope': string;
};
type OpenApi = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<'schemas' | 'parameters' | 'headers' | 'securitySchemes', Record<string, unknown>>;
};

test('the server has only the routes of operations and of ARCHITECTURE.md', async () => {
  const shortRoutes = operations.flatMap(({ shortNames = [] }) => shortNames.map((name) => `POST /v1/tools/${name}`));
  const operationRoutes = documented.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  const served = (await describeRoutes()).filter((route) => !notRoutes.includes(route));
  const expected = new Set([...operationRoutes, ...shortRoutes, ...readListedRoutes()]);
  expect(new Set(served.map((route) => route.replace(/^ALL /, 'GET ')))).toEqual(expected);
});

describe('the reference', () => {
  let server: TestServer;
  let openApi: OpenApi;

  beforeAll(async () => {
    server = await startTestServer();
    openApi = (await (await server.request('/openapi.json')).json()) as OpenApi;
  });
  afterAll(() => server.close());

  test('describes every route of every operation, and no other', () => {
    expect(openApi).toMatchObject({ openapi: '3.1.0', info: { title: 'Thalamus', version: expect.any(String) } });
    const described = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const shapes = (all: string[]) => all.map((each) => each.replaceAll(/\{\w+\}/g, '{}')).toSorted();
    expect(shapes(described)).toEqual(shapes(documented.map(({ method, path }) => `${method} ${path}`)));
  });

  test('gives every route its own id, all its path parameters, and schemas of input and output', () => {
    const all = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => ({ path, method, each })),
    );
    expect(new Set(all.map(({ each }) => each.operationId)).size).toBe(all.length);
    for (const { path, method, each } of all) {
      const inPath = each.parameters.filter((parameter) => parameter.in === 'path');
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name).toSorted(), path).toEqual(parts.toSorted());
      expect(
        inPath.every(({ required }) => required),
        path,
      ).toBe(true);
      expect(Boolean(each.requestBody), path).toBe(method !== 'get' && method !== 'delete');
      const type = path.endsWith('uninstalled') ? 'array' : 'object'; // as the reference system answers it
      expect(each.responses['200']?.content['application/json']?.schema, path).toMatchObject({ type });
      for (const [status, answer] of Object.entries(each.responses).filter(([status]) => status !== '200')) {
        expect(Object.values(errorStatus), path).toContain(Number(status));
        expect(answer.content, path).toHaveProperty(['application/problem+json', 'schema']);
      }
    }
  });

  test('refers to nothing that does not exist, and describes nothing that is not used', () => {
    const references = [...JSON.stringify(openApi).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    const { securitySchemes: _schemes, ...components } = openApi.components;
    const parts = Object.entries(components).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `#/components/${kind}/${name}`),
    );
    expect(new Set(references)).toEqual(new Set(parts));
  });

  test('has the summary and the scope of every operation', () => {
    for (const { name, summary, access } of operations) {
      expect(openApi.paths[`/v1/tools/${name}`]?.['post']).toMatchObject({
        operationId: name,
        summary,
        'x-scope': access.scope,
      });
    }
  });

  test('has every operation in the text for models', async () => {
    const text = await (await server.request('/llms.txt')).text();
    for (const { name, summary } of operations) expect(text).toContain(`- \`${name}\`: ${summary}\n`);
    expect(text).toContain('/mcp');
  });
});
