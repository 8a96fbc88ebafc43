// The only door for outgoing HTTP.
import { isIP } from 'node:net';
import { type Pools, type Resolver, openPools, resolveBySystem, resolveChecked } from './connector.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { decodeBody } from './decode-body.ts';
import { EgressError, Failure } from './egress-error.ts';
import { bareHost, parseExceptions } from './exceptions.ts';
import { type Answer, type Hop, exchange } from './exchange.ts';
import { exchangeStreamed } from './exchange-streamed.ts';
import { type Handle, checkKnown, fillHop, namedAgain } from './handles.ts';
import { isRedirect, nextHop } from './redirects.ts';
import { lookFor, removeFrom, removeFromHeaders } from './remove-values.ts';
import { prepareHeaders } from './request-headers.ts';
import type { EgressResponse } from './response.ts';
import { type TargetRules, parseTarget, routeFor } from './target.ts';

/**
 * `allow` lists the operator's exceptions (THALAMUS_EGRESS_ALLOW), each `scheme://host:port`, the default port left out
 * or not. `resolve` looks names up, by the operating system when it is not given.
 */
export type EgressOptions = { allow: readonly string[]; resolve?: Resolver; userAgent?: string };

export type EgressRequest = {
  method: string;
  /** Absolute. */
  url: string;
  /** What HTTP sets itself (Host, Content-Length, Accept-Encoding, …) is dropped. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For everything from the look-up to the last byte of the body, all redirects together. 30,000 unless given. */
  timeoutMs?: number;
  /** Limit of an answer's body, both as it arrives and unpacked. 1,000,000 unless given. */
  maxBytes?: number;
  /** `follow`, the default, goes at most five steps. With `refuse` a redirect is an error. */
  redirects?: 'follow' | 'refuse';
  /** The host must be this name or a subdomain of it, on every step. */
  domain?: string;
  /** Base URLs the operator has set for the provider that is called: exceptions for this call alone. */
  allow?: readonly string[];
  signal?: AbortSignal;
  /** Values to take out of diagnostics and error messages. The answer itself is given as it came. */
  secrets?: readonly string[];
  /**
   * Secrets whose handles are replaced, found for the caller beforehand. A handle in the request that is not among them,
   * or stands where it may not, is refused before anything leaves. Values that were used are taken out of the answer.
   * Without this nothing in a request is taken for a handle.
   */
  handles?: readonly Handle[];
};

/** An answer whose body is still to be read; reading fails with EgressError when it does not come whole. */
export type EgressStream = {
  status: number;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
};

/**
 * `request` resolves for every HTTP status and rejects with EgressError when it was refused or has failed.
 * `stream` does so as soon as the headers are there; it follows no redirect, and its time-out lasts to the end of the body.
 * `check` asks nothing of a URL but whether a request to it would leave: it rejects with EgressError when it would not.
 * `close` waits for what is under way and then closes all sockets.
 */
export type Egress = {
  request: (request: EgressRequest) => Promise<EgressResponse>;
  stream: (request: EgressRequest) => Promise<EgressStream>;
  check: (url: string, allow?: readonly string[]) => Promise<void>;
  close: () => Promise<void>;
};

const maxRedirects = 5;

/**
 * Opens the door. Only https to public addresses passes, and what the operator has excepted, each by its exact scheme,
 * host and port. Throws an Error that names the entry of `allow` it cannot read.
 */
export function createEgress(options: EgressOptions): Egress {
  const exceptions = parseExceptions(options.allow);
  const resolve = options.resolve ?? resolveBySystem;
  const pools = openPools(resolve);
  const userAgent = options.userAgent ?? 'Thalamus';
  return {
    request: (request) => send(request, { pools, exceptions, userAgent }),
    stream: (request) => sendStreamed(request, { pools, exceptions, userAgent }),
    check: (url, allow) => check(url, { exceptions, baseUrls: allow }, resolve),
    async close() {
      await Promise.all([pools.guarded.close(), pools.excepted.close()]);
    },
  };
}

type Door = { pools: Pools; exceptions: ReadonlySet<string>; userAgent: string };

/** One call under way. `sent` turns true before the first byte of its first request leaves, and stays so. */
type Call = {
  pools: Pools;
  rules: TargetRules;
  maxBytes: number;
  deadline: Deadline;
  sent: boolean;
  handles: readonly Handle[];
  /** Those whose values were sent so far. */
  used: Set<Handle>;
};

async function check(raw: string, rules: TargetRules, resolve: Resolver): Promise<void> {
  try {
    const url = parseTarget(raw);
    // A literal was looked at already, and has no name to look up.
    const isName = routeFor(url, rules) === 'guarded' && isIP(bareHost(url.hostname)) === 0;
    if (isName) await resolveChecked(url.hostname, resolve);
  } catch (error) {
    throw error instanceof Failure ? new EgressError(error, 'not_sent') : error;
  }
}

async function send(request: EgressRequest, door: Door): Promise<EgressResponse> {
  const { timeoutMs = 30_000, maxBytes = 1_000_000, redirects = 'follow' } = request;
  const rules = { exceptions: door.exceptions, baseUrls: request.allow, domain: request.domain };
  const deadline = startDeadline(timeoutMs, request.signal);
  const { handles = [], secrets = [] } = request;
  const call: Call = { pools: door.pools, rules, maxBytes, deadline, sent: false, handles, used: new Set() };
  try {
    const first = firstHop(request, door.userAgent);
    if (request.handles) checkKnown(first, handles);
    return withoutValues(await follow(first, call, redirects === 'follow' ? maxRedirects : 0), call);
  } catch (error) {
    if (error instanceof Failure) {
      const hidden = [...secrets, ...handles.map(({ value }) => value)];
      throw new EgressError(error, call.sent ? 'maybe_sent' : 'not_sent', hidden);
    }
    throw error;
  } finally {
    deadline.end();
  }
}

async function sendStreamed(request: EgressRequest, door: Door): Promise<EgressStream> {
  const { timeoutMs = 30_000, maxBytes = 1_000_000 } = request;
  const rules = { exceptions: door.exceptions, baseUrls: request.allow, domain: request.domain };
  const deadline = startDeadline(timeoutMs, request.signal);
  let isSent = false;
  const asError = (error: unknown) => {
    if (!(error instanceof Failure)) return error;
    return new EgressError(error, isSent ? 'maybe_sent' : 'not_sent', request.secrets);
  };
  try {
    const hop = firstHop(request, door.userAgent);
    // What is compressed comes in lumps.
    const plain = { ...hop, headers: new Map([...hop.headers, ['accept-encoding', 'identity']]) };
    const opened = await exchangeStreamed(door.pools[routeFor(hop.url, rules)], plain, {
      maxBytes,
      deadline,
      onSent: () => void (isSent = true),
      onEnd: () => deadline.end(),
    });
    if (isRedirect(opened)) throw await refuseStream(opened.body, tooManyRedirects(hop, opened, 0));
    return { status: opened.status, headers: opened.headers, body: mapErrors(opened.body, asError) };
  } catch (error) {
    deadline.end();
    throw asError(error);
  }
}

async function refuseStream(body: ReadableStream, failure: Failure): Promise<Failure> {
  await body.cancel();
  return failure;
}

/** The same bytes, with failures told as those who read them know them. */
function mapErrors(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  asError: (error: unknown) => unknown,
): EgressStream['body'] {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(asError(error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function firstHop(request: EgressRequest, userAgent: string): Hop {
  const url = parseTarget(request.url);
  const headers = prepareHeaders(request.headers ?? {}, userAgent);
  return { url, method: checkMethod(request.method), headers, body: request.body };
}

/** CONNECT would open a tunnel, and TRACE sends the headers back, credentials among them. */
function checkMethod(given: string): string {
  const method = given.toUpperCase();
  if (/^[A-Z]{1,20}$/.test(method) && method !== 'CONNECT' && method !== 'TRACE') return method;
  throw new Failure('invalid_request', 'The HTTP method is not one that may be sent.');
}

async function follow(first: Hop, call: Call, stepsAllowed: number): Promise<EgressResponse> {
  let hop = first;
  for (let step = 0; ; step += 1) {
    const filled = fillHop(hop, call.handles);
    for (const handle of filled.used) call.used.add(handle);
    const answer = await sendHop(filled.hop, call);
    if (!isRedirect(answer)) {
      const { status, headers, body } = await decodeBody(answer, call.maxBytes);
      return { status, url: hop.url.href, headers, body };
    }
    if (step === stepsAllowed) throw tooManyRedirects(hop, answer, stepsAllowed);
    hop = nextHop(hop, named(answer, call));
  }
}

/** The answer with handles where its `Location` tells values back. */
function named(answer: Answer, { used }: Call): Answer {
  if (!used.size) return answer;
  const location = namedAgain(answer.headers['location'] ?? '', [...used]);
  return { ...answer, headers: { ...answer.headers, location } };
}

/** The answer without the values that were sent for it. */
function withoutValues(response: EgressResponse, { used }: Call): EgressResponse {
  if (!used.size) return response;
  const values = lookFor([...used].map(({ value }) => value));
  const body = removeFrom(response.body, values);
  return { ...response, headers: removeFromHeaders(response.headers, values, body.length), body };
}

function sendHop(hop: Hop, call: Call): Promise<Answer> {
  const { maxBytes, deadline } = call;
  const pool = call.pools[routeFor(hop.url, call.rules)];
  return exchange(pool, hop, {
    maxBytes,
    deadline,
    onSent() {
      call.sent = true;
    },
  });
}

function tooManyRedirects(hop: Hop, answer: { status: number }, stepsAllowed: number): Failure {
  const { status } = answer;
  if (stepsAllowed === 0)
    return new Failure('blocked', `${hop.url.origin} redirects, which this call refuses.`, { status });
  return new Failure('blocked', `There were more than ${stepsAllowed} redirects.`, { status });
}
