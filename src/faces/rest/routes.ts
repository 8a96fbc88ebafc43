import type { Catalogue } from '#kernel/catalogue';
import { AppError } from '#kernel/errors';
import type { Execute } from '#kernel/execute';
import type { Operation } from '#kernel/operation';
import type { Authenticate } from '#modules/accounts';
import { Hono, type Context } from 'hono';
import { findCaller, findFace } from './credential.ts';
import { readInput } from './input.ts';

export type RestEnvironment = { Variables: { requestId: string } };
export type RestOptions = { catalogue: Catalogue; execute: Execute; authenticate: Authenticate };

/** Every operation, at `POST /v1/tools/{name}` and at its documented routes. */
export function createRestRoutes({ catalogue, execute, authenticate }: RestOptions): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();

  async function answer(c: Context<RestEnvironment>, operation: Operation): Promise<Response> {
    const caller = await findCaller(c, authenticate);
    const idempotencyKey = c.req.header('idempotency-key');
    const input = caller ? await readInput(c, operation) : {};
    const requestId = c.get('requestId');
    const output = await execute({
      operation,
      input,
      caller,
      face: findFace(c),
      requestId,
      ...(idempotencyKey && { idempotencyKey }),
    });
    return c.json(output as object);
  }

  for (const operation of catalogue.values()) {
    const names = [operation.name, ...(operation.shortNames ?? [])];
    const tools = names.map((name) => ({ method: 'POST', path: `/v1/tools/${name}` }));
    for (const route of [...tools, ...(operation.rest ?? [])]) {
      app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => answer(c, operation));
    }
  }

  app.post('/v1/tools/:name', (c) => {
    throw new AppError(
      'not_found',
      `There is no operation ${c.req.param('name').slice(0, 80)}. See ${suggestNames(catalogue, c.req.param('name'))}.`,
    );
  });
  return app;
}

function suggestNames(catalogue: Catalogue, name: string): string {
  const words = new Set(name.split('_'));
  const near = [...catalogue.values()].filter((operation: Operation) =>
    operation.name.split('_').some((word) => words.has(word)),
  );
  return near.length
    ? near
        .map((operation) => operation.name)
        .slice(0, 5)
        .join(', ')
    : '/openapi.json';
}
