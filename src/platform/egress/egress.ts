// The only way out over HTTP.
import { isIP } from 'node:net';
import { type Pools, openPools, resolveChecked } from './connector.ts';
import { startDeadline } from './deadline.ts';
import { decodeBody } from './decode-body.ts';
import { EgressError, Failure } from './egress-error.ts';
import { toBareHost, parseExceptions } from './exceptions.ts';
import { type Hop, exchange } from './exchange.ts';
import { exchangeStreamed } from './exchange-streamed.ts';
import { type Call, type MayReach, follow } from './follow.ts';
import { type Handle, checkKnown } from './handles.ts';
import { observeCall, type OnEnded } from './observe-call.ts';
import { passOn, streamHeaders } from './pass-on.ts';
import { listValueForms, removeFromAnswer } from './remove-values.ts';
import { prepareHeaders } from './request-headers.ts';
import { type Resolver, createResolvers } from './resolve-names.ts';
import type { EgressResponse } from './response.ts';
import { type Route, type TargetRules, parseTarget, chooseRoute } from './target.ts';

/**
 * `allow` lists the operator's exceptions (THALAMUS_EGRESS_ALLOW), each `scheme://host:port`; the default port may be
 * left out. `resolve` replaces the name look-up, which uses DNS for public names and the operating system for
 * exceptions.
 */
export type EgressOptions = {
  allow: readonly string[];
  resolve?: Resolver;
  userAgent?: string;
  /** Answers in place of every host that a request with `isWeb` names (THALAMUS_WEB_BASE_URL). */
  webBaseUrl?: string | null;
  /** Called with each call when it has its answer, or has failed. */
  onEnded?: OnEnded;
};

export type EgressRequest = {
  method: string;
  /** Absolute URL. */
  url: string;
  /** Headers that HTTP sets itself (Host, Content-Length, Accept-Encoding, …) are dropped. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /**
   * The time limit in milliseconds, from the look-up to the last byte of the body, for all redirects together. 30,000
   * by default.
   */
  timeoutMs?: number;
  /** Only for `stream`: the longest wait for data in milliseconds. 30,000 by default. */
  idleMs?: number;
  /** Limit of an answer's body in bytes, both as it arrives and unpacked. 1,000,000 by default. */
  maxBytes?: number;
  /** `follow`, the default, takes at most five steps. With `refuse` a redirect is an error. */
  redirects?: 'follow' | 'refuse';
  /** Only reading requests are sent, at every redirect: GET or HEAD, and to no host that is known to write on GET. */
  readsOnly?: boolean;
  /** With `readsOnly`: the one canonical address where a POST reads, as a person declared. Redirects are not followed. */
  readByPost?: string;
  /** The host must be this name or a subdomain of it, at every redirect. */
  domain?: string;
  /** The host must be one of these names, at every redirect. */
  hosts?: readonly string[];
  /** Checks the target at every redirect, given the address with its values filled in. */
  mayReach?: MayReach;
  /** Base URLs that the operator has set for the called provider: exceptions for this call only. */
  allow?: readonly string[];
  /** Goes to any host of the web, as a recipe or code names it: the operator may have set a stand-in for all of them. */
  isWeb?: boolean;
  signal?: AbortSignal;
  /** Values to redact from diagnostics and error messages. */
  secrets?: readonly string[];
  /** Those values that are also redacted from the answer, in all their forms, in case a service repeats them. */
  withheld?: readonly string[];
  /**
   * The secrets whose handles are replaced, looked up for the caller before. A handle in the request that is not among
   * them, or is in a forbidden place, is refused before anything is sent. Used values are redacted from the answer.
   * Without this field no text of a request counts as a handle.
   */
  handles?: readonly Handle[];
  /**
   * The only headers whose values may contain handles. Nothing else of the request is searched, so others may write the
   * rest of it.
   */
  handleHeaders?: readonly string[];
};

/** An answer with an unread body; reading fails with EgressError when it is incomplete. */
export type EgressStream = {
  status: number;
  /** The URL that answered, after redirects. */
  url: string;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
};

/**
 * `request` resolves for every HTTP status, and rejects with EgressError when the request was refused or failed.
 * `stream` does the same as soon as the headers arrive; its limits apply until the end of the body, which arrives as
 * fast as it is read. A caller that does not read the body to its end must cancel it, which closes the connection.
 * `check` throws EgressError for an address that both would refuse; `checkResolved` also looks up its name. Both send
 * nothing. `close` waits for running calls and then closes all sockets.
 */
export type Egress = {
  request: (request: EgressRequest) => Promise<EgressResponse>;
  stream: (request: EgressRequest) => Promise<EgressStream>;
  check: (url: string, allow?: readonly string[]) => void;
  checkResolved: (url: string, allow?: readonly string[]) => Promise<void>;
  close: () => Promise<void>;
};

const maxRedirects = 5;

/**
 * Opens egress. Only https to public addresses is allowed, and the operator's exceptions, each by its exact scheme,
 * host and port. Throws an Error that names the unreadable entry of `allow`.
 */
export function createEgress(options: EgressOptions): Egress {
  const exceptions = parseExceptions(options.allow);
  const { resolve, onEnded = () => {} } = options;
  const resolvers = resolve ? { byNetwork: resolve, bySystem: resolve } : createResolvers();
  const pools = openPools(resolvers);
  const door = {
    pools,
    exceptions,
    userAgent: options.userAgent ?? 'Thalamus',
    webBaseUrl: options.webBaseUrl ?? null,
  };
  return {
    request: (request) => observeCall(request, onEnded, () => send(request, door)),
    stream: (request) => observeCall(request, onEnded, () => sendStreamed(request, door)),
    check: (url, baseUrls) => void routeTarget(url, { exceptions, baseUrls }),
    async checkResolved(url, baseUrls) {
      const { host, route } = routeTarget(url, { exceptions, baseUrls });
      if (route === 'guarded' && isIP(host) === 0)
        await resolveChecked(host, resolvers.byNetwork).catch(throwEgressError);
    },
    async close() {
      await Promise.all([pools.guarded.close(), pools.excepted.close()]);
    },
  };
}

function routeTarget(raw: string, rules: TargetRules): { host: string; route: Route } {
  try {
    const url = parseTarget(raw);
    return { host: toBareHost(url.hostname), route: chooseRoute(url, rules) };
  } catch (error) {
    return throwEgressError(error);
  }
}

function throwEgressError(error: unknown): never {
  throw error instanceof Failure ? new EgressError(error, 'not_sent') : error;
}

type Door = { pools: Pools; exceptions: ReadonlySet<string>; userAgent: string; webBaseUrl: string | null };

async function send(request: EgressRequest, door: Door): Promise<EgressResponse> {
  const call = openCall(request, door);
  try {
    const { hop, answer } = await follow(buildFirstHop(request, door.userAgent), call, {
      send: (pool, each) => exchange(pool, each, getExchangeLimits(call)),
    });
    const { status, headers, body } = await decodeBody(answer, call.maxBytes);
    return removeFromAnswer(
      { status, url: hop.url.href, headers, body },
      listValueForms(listWithheldValues(request, call)),
    );
  } catch (error) {
    throw toCallerError(error, request, call);
  } finally {
    call.deadline.end();
  }
}

async function sendStreamed(request: EgressRequest, door: Door): Promise<EgressStream> {
  const call = openCall(request, door);
  try {
    const limits = { ...getExchangeLimits(call), idleMs: request.idleMs ?? 30_000 };
    const { hop, answer } = await follow(buildFirstHop(request, door.userAgent), call, {
      send: (pool, each) => exchangeStreamed(pool, each, limits),
      letGo: ({ body }) => body.cancel(),
    });
    void answer.ended.then(() => call.deadline.end());
    const values = listValueForms(listWithheldValues(request, call));
    const body = passOn(answer.body, values, (error) => toCallerError(error, request, call));
    return { status: answer.status, url: hop.url.href, headers: streamHeaders(answer.headers, values), body };
  } catch (error) {
    call.deadline.end();
    throw toCallerError(error, request, call);
  }
}

function openCall(request: EgressRequest, door: Door): Call {
  const { timeoutMs = 30_000, maxBytes = 1_000_000, redirects = 'follow', handles = [] } = request;
  const { allow: baseUrls, domain, hosts, readsOnly = false, readByPost, mayReach } = request;
  const handleHeaders = toHeaderNames(request.handleHeaders);
  const rules = { exceptions: door.exceptions, baseUrls, domain, hosts, readsOnly, readByPost };
  const deadline = startDeadline(timeoutMs, request.signal);
  const stepsAllowed = redirects === 'follow' ? maxRedirects : 0;
  const known = { handles, handleHeaders, used: new Set<Handle>() };
  const standIn = request.isWeb ? door.webBaseUrl : null;
  return { pools: door.pools, rules, maxBytes, deadline, stepsAllowed, sent: false, mayReach, standIn, ...known };
}

function getExchangeLimits(call: Call) {
  const { maxBytes, deadline } = call;
  return { maxBytes, deadline, onSent: () => void (call.sent = true) };
}

/** Converts a Failure for callers; every other error is unchanged. */
function toCallerError(error: unknown, { secrets = [] }: EgressRequest, { sent, handles }: Call): unknown {
  if (!(error instanceof Failure)) return error;
  return new EgressError(error, sent ? 'maybe_sent' : 'not_sent', [...secrets, ...handles.map(({ value }) => value)]);
}

function buildFirstHop(request: EgressRequest, userAgent: string): Hop {
  const url = parseTarget(request.url);
  const headers = prepareHeaders(request.headers ?? {}, userAgent);
  const hop = { url, method: checkMethod(request.method), headers, body: request.body };
  checkBody(hop);
  if (request.handles) checkKnown(hop, request.handles, toHeaderNames(request.handleHeaders));
  return hop;
}

function toHeaderNames(headers: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return headers && new Set(headers.map((name) => name.toLowerCase()));
}

/** Servers differ in how they treat such a body: some process it. */
function checkBody({ method, body }: Pick<Hop, 'method' | 'body'>): void {
  if (body === undefined || body.length === 0 || (method !== 'GET' && method !== 'HEAD')) return;
  throw new Failure('invalid_request', `A ${method} request cannot have a body. Put the parameters into the address.`);
}

/** CONNECT would open a tunnel, and TRACE returns the headers, including credentials. */
function checkMethod(given: string): string {
  const method = given.toUpperCase();
  if (/^[A-Z]{1,20}$/.test(method) && method !== 'CONNECT' && method !== 'TRACE') return method;
  throw new Failure('invalid_request', 'This HTTP method is not allowed.');
}

/** Texts to redact from the answer: secrets that were sent through handles, and those that the caller named. */
function listWithheldValues({ withheld = [] }: EgressRequest, { used }: Call): string[] {
  return [...[...used].map(({ value }) => value), ...withheld];
}
