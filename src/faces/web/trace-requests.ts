import type { RestEnvironment } from '#faces/rest';
import { withSpan, isTracing, noteOutcome, readTrace, SpanKind } from '#platform/telemetry';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';

/** Paths that monitoring requests every few seconds; nobody looks for them in a trace. */
const untraced = new Set(['/healthz', '/readyz', '/metrics']);
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Puts each request into a span that continues the caller's trace. The span names the route, because a path can hold a secret. */
export function traceRequests(): MiddlewareHandler<RestEnvironment> {
  return async (c, next) => {
    if (!isTracing() || untraced.has(c.req.path)) return next();
    const method = methods.has(c.req.method) ? c.req.method : '_OTHER';
    const { hostname, port, protocol } = new URL(c.req.url);
    const parent = readTrace({ traceparent: c.req.header('traceparent'), tracestate: c.req.header('tracestate') });
    const attributes = {
      'http.request.method': method,
      'url.scheme': protocol.slice(0, -1),
      'server.address': hostname,
      ...(port && { 'server.port': Number(port) }),
      ...(method === '_OTHER' && { 'http.request.method_original': c.req.method.slice(0, 20) }),
    };
    await withSpan({ name: method, kind: SpanKind.SERVER, attributes, ...(parent && { parent }) }, async (span) => {
      await next();
      if (!span.isRecording()) return;
      const route = findRoute(c);
      if (route !== undefined)
        span.updateName(`${method} ${route}`).setAttributes({ 'http.route': route, 'url.path': route });
      const { status } = c.res;
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) noteOutcome(span, String(status), false);
    });
  };
}

/** The route that a request came to, such as `/v1/pages/:slug`; undefined: none. */
function findRoute(c: Context): string | undefined {
  return matchedRoutes(c).find(({ method, path }) => method !== 'ALL' && path !== '*')?.path;
}
