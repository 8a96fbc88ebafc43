import type { Delivery } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { applyBaseUrl, type Credential, type ProviderDirectory, type TokenSource } from '#kernel/provider-access';
import { parseBodyJson, diagnose } from '#platform/egress';
import type { Egress, EgressRequest, EgressResponse, EgressStream } from '#platform/egress';
import { isFulfilled } from './conditions.ts';
import type { Refusals } from './api-schema.ts';
import { listHidden, readOwnAddress, listSecrets } from './credential-secrets.ts';
import { createProviderError, hasPartialAnswer, toProviderError } from './provider-error.ts';
import { retryRead } from './retry-read.ts';

/** The linked account through which a provider is called. */
export type Link = {
  workspaceId: string;
  connectionId: string;
  provider: string;
  /** The deadline of the whole call, including the wait for a token and retries; and whether a redirect of a reading request is an error. */
  deadline?: AbortSignal;
  redirects?: 'refuse';
};

/** A provider, reached through one linked account. `file`: a file that is sent with the draft, by its position; null: it was removed. */
export type Reach = {
  client: ProviderClient;
  link: Link;
  file(position: number): Promise<Buffer | null>;
  /** The account's own address, for services that are known by their address only. */
  address(): Promise<string | null>;
};

export type ProviderRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The address at the provider's own host; the operator's base URL replaces the host when one is set. `{token}` marks
   * where a credential belongs in the path. Default: the account's own address.
   */
  url?: string;
  /**
   * Instead of `url`: an address that the provider returned for this request only. It is a secret, and is sent without
   * the account's credential.
   */
  handedOut?: string;
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; text and bytes are sent unchanged, with the content type of `headers`. */
  body?: unknown;
  timeoutMs?: number;
  /** For streamed answers: the longest time without data. */
  idleMs?: number;
  maxBytes?: number;
  /** The request changes nothing, whatever its method, and may be repeated. */
  isRead?: boolean;
  /** The host must be this name or below it. */
  domain?: string;
} & Refusals;

/**
 * Calls providers in the name of linked accounts. Returns answers with status 2xx, and 304 to `if-none-match` or
 * `if-modified-since`; everything else is a `ProviderFault`.
 */
export type ProviderClient = {
  send(link: Link, request: ProviderRequest): Promise<EgressResponse>;
  /** Like `send`, and parses the answer as JSON. */
  json(link: Link, request: ProviderRequest): Promise<unknown>;
  /**
   * Passes the answer to a reading request to `read` as it arrives. If the answer breaks off, `read` fails and is
   * called again with a new answer from its beginning.
   */
  stream<T>(link: Link, request: ProviderRequest, read: ReadBytes<T>): Promise<T>;
};

/** Reads bytes as they arrive; the sender waits for the reader. */
export type ReadBytes<T> = (bytes: AsyncIterable<Uint8Array>) => Promise<T>;

const pageBytes = 10_000_000;
/** The time limit of each request, plus the time to send its body over a slow line. */
const [requestMs, leastBytesPerMs] = [30_000, 150];
/** How much of an error answer is read. */
const refusalBytes = 100_000;

type Options = { egress: Egress; tokens: TokenSource; clients: ProviderDirectory };

export function createProviderClient(options: Options): ProviderClient {
  const { tokens } = options;

  /** A credential for the link. An error here means that the request was not sent. */
  async function getCredential({ workspaceId, connectionId, deadline }: Link, refused?: string): Promise<Credential> {
    try {
      const credential = tokens.credential(workspaceId, connectionId, refused);
      return await (deadline ? Promise.race([credential, waitUntilDeadline(deadline)]) : credential);
    } catch (error) {
      throw markUnsent(error);
    }
  }

  /** A token that was refused is renewed once: the provider did nothing for the refused call. */
  async function authorised(link: Link, request: ProviderRequest): Promise<EgressResponse> {
    if (request.handedOut !== undefined) {
      const address = createAddressCredential(request.handedOut);
      return checkResponse(await sendOnce(options, link, request, address), request, address);
    }
    const credential = await getCredential(link);
    const response = await sendOnce(options, link, request, credential);
    if (!isUnauthenticated(response, request)) return checkResponse(response, request, credential);
    const renewed = await getCredential(link, credential.value);
    return checkResponse(await sendOnce(options, link, request, renewed), request, renewed);
  }

  async function opened(link: Link, request: ProviderRequest): Promise<EgressStream> {
    const credential = await getCredential(link);
    const answer = await openOnce(options, link, request, credential);
    if (!isRefusal(answer)) return answer;
    if (!isUnauthenticated(answer, request)) throw createProviderError(answer, request, listSecrets(credential));
    const renewed = await getCredential(link, credential.value);
    const again = await openOnce(options, link, request, renewed);
    if (isRefusal(again)) throw createProviderError(again, request, listSecrets(renewed));
    return again;
  }

  async function stream<T>(link: Link, request: ProviderRequest, read: ReadBytes<T>): Promise<T> {
    return repeatRead(link, request, async () => {
      const { body } = await opened(link, request);
      try {
        return await read(readBytes(body));
      } finally {
        // An answer that was read to its end, or that broke off, is already released.
        await body.cancel().catch(() => {});
      }
    });
  }

  const send: ProviderClient['send'] = (link, request) => repeatRead(link, request, () => authorised(link, request));
  return { send, stream, json: async (link, request) => parseBodyJson(await send(link, request)) };
}

/** Only reads are retried. */
function repeatRead<T>({ deadline }: Link, { method, isRead }: ProviderRequest, ask: () => Promise<T>): Promise<T> {
  return method === 'GET' || isRead ? retryRead(ask, { deadline }) : ask();
}

/** Sends one request, and redacts its answer. A network error says whether the request may have been sent. */
async function sendOnce(
  options: Options,
  link: Link,
  request: ProviderRequest,
  credential: Credential,
): Promise<EgressResponse> {
  try {
    return await options.egress.request(buildRequest(options, link, request, credential));
  } catch (error) {
    throw toProviderError(error);
  }
}

/** Like `once`, but leaves the body of a successful answer unread. */
async function openOnce(
  options: Options,
  link: Link,
  request: ProviderRequest,
  credential: Credential,
): Promise<EgressStream | EgressResponse> {
  try {
    const answer = await options.egress.stream(buildRequest(options, link, request, credential));
    if (answer.status >= 200 && answer.status < 300) return answer;
    return { ...answer, body: await readBeginning(answer.body) };
  } catch (error) {
    throw toProviderError(error);
  }
}

function isRefusal(answer: EgressStream | EgressResponse): answer is EgressResponse {
  return answer.body instanceof Uint8Array;
}

async function readBeginning(body: EgressStream['body']): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length >= refusalBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, refusalBytes);
}

async function* readBytes(body: EgressStream['body']): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toProviderError(error);
  }
}

function buildRequest(
  { clients }: Options,
  link: Link,
  request: ProviderRequest,
  credential: Credential,
): EgressRequest {
  const baseUrl = clients.findBaseUrl(link.provider);
  const domain = baseUrl ? undefined : request.domain; // the operator has configured another host
  const { body } = request;
  const isAsItIs = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const sent = isAsItIs ? body : JSON.stringify(body);
  const isEntered = clients.listed.some(({ name, apiDomains }) => name === link.provider && !apiDomains.length);
  return {
    method: request.method,
    url: withQuery(buildAddress(request, credential, baseUrl), { ...request.query, ...credential.query }),
    headers: {
      accept: 'application/json',
      ...(!isAsItIs && { 'content-type': 'application/json' }),
      ...request.headers,
      ...credential.headers,
    },
    ...(sent !== undefined && { body: sent }),
    timeoutMs: request.timeoutMs ?? requestMs + (sent?.length ?? 0) / leastBytesPerMs,
    ...(request.idleMs !== undefined && { idleMs: request.idleMs }),
    maxBytes: request.maxBytes ?? pageBytes,
    redirects: link.redirects ?? (request.method === 'GET' ? 'follow' : 'refuse'),
    allow: baseUrl ? [baseUrl] : [],
    ...listHidden(credential),
    ...(link.deadline && { signal: link.deadline }),
    ...(domain !== undefined && { domain }),
    ...(isEntered && request.method === 'GET' && { readsOnly: true }), // the author of the address may not know that it writes
  };
}

function buildAddress({ url }: ProviderRequest, credential: Credential, baseUrl: string | null): string {
  if (url !== undefined) return applyBaseUrl(withToken(url, credential), baseUrl);
  if (credential.place !== 'url') throw new Error('this account has no address of its own');
  return readOwnAddress(credential);
}

/** An address that is itself a credential, such as a calendar's secret address. */
function createAddressCredential(value: string): Credential {
  return { value, headers: {}, query: {}, place: 'url' };
}

/**
 * Providers that report errors with status 200 report an invalid token in their error. A request that succeeded in part
 * is not repeated.
 */
function isUnauthenticated(response: EgressResponse, request: ProviderRequest): boolean {
  if (response.status === 401) return true;
  return isRefused(response, request) && !hasPartialAnswer(response) && diagnose(response).errorCategory === 'auth';
}

function isRefused(response: EgressResponse, { refusedWhen }: ProviderRequest): boolean {
  const isOk = response.status >= 200 && response.status < 300;
  return isOk && refusedWhen !== undefined && isFulfilled(refusedWhen, parseBodyJson(response));
}

function checkResponse(response: EgressResponse, request: ProviderRequest, credential: Credential): EgressResponse {
  if (response.status >= 200 && response.status < 300 && !isRefused(response, request)) return response;
  if (response.status === 304 && isConditional(request)) return response;
  throw createProviderError(response, request, listSecrets(credential));
}

function isConditional({ headers = {} }: ProviderRequest): boolean {
  return 'if-none-match' in headers || 'if-modified-since' in headers;
}

/** A colon is allowed in a path (RFC 3986 §3.3), and some providers require it unescaped. */
function withToken(url: string, { place, value }: Credential): string {
  return place === 'path' ? url.replace('{token}', () => encodeURIComponent(value).replaceAll('%3A', ':')) : url;
}

function withQuery(url: string, query: ProviderRequest['query'] = {}): string {
  const entries = Object.entries(query);
  if (entries.length === 0) return url;
  const target = new URL(url);
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) target.searchParams.append(name, String(each));
  }
  return target.href;
}

function waitUntilDeadline(deadline: AbortSignal): Promise<never> {
  const late = new AppError('unavailable', "The account's credential was not available in time.");
  return new Promise((_resolve, reject) => {
    if (deadline.aborted) reject(late);
    deadline.addEventListener('abort', () => reject(late), { once: true });
  });
}

/** Returns our own errors unchanged, and adds that the request was not sent. */
function markUnsent(error: unknown): unknown {
  return error instanceof AppError ? Object.assign(error, { delivery: 'not_sent' satisfies Delivery }) : error;
}
