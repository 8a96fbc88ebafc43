import { AppError } from '#kernel/errors';
import { chooseCookies, toProblem, formatRetryAfter, setTrustedProxies, type RestEnvironment } from '#faces/rest';
import { createResources } from '#modules/oauth-server';
import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { limitBodies } from './body-limit.ts';
import { completeHeaders } from './answer-headers.ts';
import { findChallenge } from './challenge.ts';
import { createFindMethods } from './find-methods.ts';
import { traceRequests } from './trace-requests.ts';
import { checkHost } from './host-check.ts';
import { limitEachAddress } from './address-limits.ts';
import { redirectToPublicOrigin } from './public-origin.ts';

/** Called once for each bug, with the request id that the caller got. */
export type ReportBug = (error: unknown, where: { request_id: string; path: string }) => void;

type AppOptions = {
  newId: () => string;
  now: () => Date;
  reportBug: ReportBug;
  publicUrl: string;
  /** Whether people reach the server by https. */
  isSecure: boolean;
  /** The address the server listens on; on loopback the Host header is checked. */
  host: string;
  /** The proxies that are trusted about a client's address. */
  trustedProxies: readonly string[];
  /** The largest request body of all operations. */
  operationBytes: number;
};

/**
 * The application without routes: request ids, headers, refusals before any route, and the one place where errors
 * become HTTP answers.
 */
export function createApp(options: AppOptions): Hono<RestEnvironment> {
  const app = new Hono<RestEnvironment>({ strict: false }); // a trailing slash in an address means the same
  const resources = createResources(options.publicUrl);
  app.use(traceRequests());
  app.use(requestId({ generator: options.newId, limitLength: 100 }));
  app.use(
    secureHeaders({
      // A browser ignores it over http (RFC 6797 §7.2), and a server that later gets another name must not be bound by it.
      strictTransportSecurity: options.isSecure,
      crossOriginResourcePolicy: false, // `completeHeaders` keeps what a route set
      xFrameOptions: 'DENY',
      referrerPolicy: 'no-referrer',
    }),
  );
  app.use(completeHeaders());
  app.use(checkHost(options));
  app.use(redirectToPublicOrigin(options.publicUrl));
  app.use(limitBodies(options));
  app.use(setTrustedProxies(options.trustedProxies));
  app.use(chooseCookies(options.isSecure));
  app.use(limitEachAddress(options.now));
  const findMethods = createFindMethods(app);
  app.notFound((c) => {
    const methods = findMethods(c.req.path);
    if (methods.length) {
      c.header('allow', methods.join(', '));
      throw new AppError(
        'method_not_allowed',
        `${c.req.path.slice(0, 200)} does not accept ${c.req.method}. Send ${methods.join(' or ')}.`,
      );
    }
    throw new AppError('not_found', `There is nothing at ${c.req.method} ${c.req.path}. See /docs for all addresses.`);
  });
  app.onError((error, c) => {
    const id = c.get('requestId');
    if (!(error instanceof AppError) && !isHalfSent(error))
      options.reportBug(error, { request_id: id, path: withoutSecret(c.req.path) });
    const problem = toProblem(error, id);
    const retryAfter = formatRetryAfter(problem);
    if (retryAfter !== undefined) c.header('retry-after', retryAfter);
    const wanted = findChallenge(problem, {
      resources,
      path: c.req.path,
      host: c.req.header('host'),
      hasToken: Boolean(c.req.header('authorization')),
    });
    if (wanted !== null) c.header('www-authenticate', wanted);
    c.header('content-type', 'application/problem+json');
    return c.body(JSON.stringify(problem), problem.status as ContentfulStatusCode); // from the closed set of codes
  });
  return app;
}

/** The last part of such an address is a secret that authorises its holder. */
function withoutSecret(path: string): string {
  return path.replace(/^(\/hooks\/[^/]+|\/set-variables?|\/form|\/v1\/webhook)\/.*/, '$1/…');
}

/** Node's error for a request whose sender closed the connection before its end: nobody waits for an answer. */
function isHalfSent(error: Error): boolean {
  return error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}
