import { AppError } from '#kernel/errors';
import { problemOf, type RestEnvironment } from '#faces/rest';
import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Where a bug is told, once, with the request id that the caller was told. */
export type ReportBug = (error: unknown, where: { request_id: string; path: string }) => void;

/** The application without routes: request ids, headers, and the one place where errors become HTTP answers. */
export function createApp(options: { newId: () => string; reportBug: ReportBug }): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>();
  app.use(requestId({ generator: options.newId, limitLength: 100 }));
  app.use(
    secureHeaders({ crossOriginResourcePolicy: 'same-origin', xFrameOptions: 'DENY', referrerPolicy: 'no-referrer' }),
  );
  app.notFound((c) => {
    throw new AppError('not_found', `There is nothing at ${c.req.method} ${c.req.path}. See /docs for what there is.`);
  });
  app.onError((error, c) => {
    const id = c.get('requestId');
    if (!(error instanceof AppError)) options.reportBug(error, { request_id: id, path: c.req.path });
    const problem = problemOf(error, id);
    const retryAfter = problem.details?.['retry_after'];
    if (typeof retryAfter === 'number') c.header('retry-after', String(retryAfter));
    if (problem.status === 401) c.header('www-authenticate', 'Bearer');
    c.header('content-type', 'application/problem+json');
    return c.body(JSON.stringify(problem), problem.status as ContentfulStatusCode); // from the closed set of codes
  });
  return app;
}
