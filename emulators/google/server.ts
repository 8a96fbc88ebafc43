// All routes of Google, who may call them, and how they refuse.
import type { OrderedAnswer } from '../kit/failures.ts';
import type { QuotaMeter } from '../kit/quota.ts';
import { findRoute } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { findBearerToken } from '../kit/wire.ts';
import type { IncomingRequest, Reply, WireError } from '../kit/wire.ts';
import type { World } from './accounts.ts';
import { calendarRoutes } from './calendar/calendars.ts';
import { eventRoutes } from './calendar/events.ts';
import { changeRoutes } from './drive/changes.ts';
import { fileRoutes } from './drive/files.ts';
import { permissionRoutes } from './drive/permissions.ts';
import { fileWriteRoutes } from './drive/writes.ts';
import { createScopesError, createModernError, createOutageError, createUnauthenticatedError } from './errors.ts';
import { draftRoutes } from './gmail/drafts.ts';
import { labelRoutes } from './gmail/labels.ts';
import { messageRoutes } from './gmail/messages.ts';
import { threadRoutes } from './gmail/threads.ts';
import { authorizeRoutes } from './oauth/authorize.ts';
import { identityRoutes, createUserInfoError } from './oauth/identity.ts';
import { createDeadGrantError, tokenRoutes } from './oauth/tokens.ts';
import { keepFields, parseFields } from './partial.ts';
import { checkQuota } from './quota.ts';
import { checkQuery } from './routing.ts';
import type { ApiRoute, Call, Caller, Route } from './routing.ts';

const routes: Route[] = [
  ...authorizeRoutes,
  ...tokenRoutes,
  ...identityRoutes,
  ...messageRoutes,
  ...draftRoutes,
  ...threadRoutes,
  ...labelRoutes,
  ...calendarRoutes,
  ...eventRoutes,
  ...fileRoutes,
  ...fileWriteRoutes,
  ...changeRoutes,
  ...permissionRoutes,
];

/** What requests are answered from. */
export type ServerParts = { world: World; quota: QuotaMeter };

function authenticate(world: World, incoming: IncomingRequest, route: ApiRoute): Caller {
  const bearer = findBearerToken(incoming.headers);
  if (!bearer) throw route.api === 'oauth' ? createUserInfoError() : createUnauthenticatedError('missing');
  const token = world.data.accessTokens.get(bearer);
  const account = token && world.data.accounts.get(token.account);
  const client = token && world.data.clients.get(token.clientId);
  if (!token || !account || !client || (token.expiresAt ?? 0) <= world.now().getTime()) {
    throw route.api === 'oauth' ? createUserInfoError() : createUnauthenticatedError('invalid');
  }
  if (!token.scopes.some((scope) => route.scopes.includes(scope))) throw createScopesError(route.api, route.scopes);
  return { account, client, scopes: token.scopes };
}

function run(parts: ServerParts, incoming: IncomingRequest): Reply {
  const { world } = parts;
  const found = findRoute(routes, incoming);
  if (!found) return buildNotFoundPage(incoming);
  const { route, params } = found;
  const { url, headers, body } = incoming;
  const call: Call = {
    world,
    api: route.api,
    now: world.now(),
    url,
    params,
    headers,
    body,
    effects: world.data.effects,
  };
  if ('open' in route) return route.handle(call);
  const caller = authenticate(world, incoming, route);
  checkQuota(parts.quota, route.api, caller.account.email, call.now);
  checkQuery(route, url.searchParams);
  const fields = url.searchParams.get('fields');
  const selection = fields === null ? undefined : parseFields(fields);
  const reply = route.handle({ ...call, caller });
  return selection && reply.json !== undefined ? { ...reply, json: keepFields(reply.json, selection) } : reply;
}

function buildNotFoundPage({ url }: IncomingRequest): Reply {
  const path = url.pathname.replaceAll('<', '&lt;');
  const page = `<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p><b>404.</b> That’s an error.<p>The requested URL <code>${path}</code> was not found on this server.`;
  return { status: 404, bytes: { contentType: 'text/html; charset=UTF-8', content: Buffer.from(page) } };
}

function buildOrderedReply(order: OrderedAnswer, incoming: IncomingRequest): Reply {
  const api = findRoute(routes, incoming)?.route.api ?? 'gmail';
  if (order.kind === 'invalid_grant') return buildErrorReply(createDeadGrantError());
  return buildErrorReply(
    order.kind === 'status' ? createOutageError(api, order.status, order) : createOutageError(api, 403, {}),
  );
}

function buildErrorReply({ status, headers, body }: WireError): Reply {
  return { status, headers, json: body };
}

/** How Google answers. */
export function createGoogleDialect(parts: ServerParts): Dialect {
  const { world } = parts;
  return {
    findAccount: ({ headers }) => world.data.accessTokens.get(findBearerToken(headers) ?? '')?.account,
    answer: (incoming) => run(parts, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => buildErrorReply(createModernError(500, { reason: 'emulatorFault', message: detail })),
  };
}
