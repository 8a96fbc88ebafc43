import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { placed, type Clients, type TokenSource } from '#modules/connections';
import { bodyJson, diagnose, EgressError, type Diagnostics, type Egress, type EgressResponse } from '#platform/egress';

/** Through which linked account a provider is called. */
export type Link = {
  workspaceId: string;
  connectionId: string;
  provider: string;
  /** Nothing leaves after it: waiting for a token, asking, and asking again all end with it. */
  deadline?: AbortSignal;
};

/** A provider, reached in the name of one linked account. */
export type Reach = { client: ProviderClient; link: Link };

/** How a draft's action reaches its provider. Every source of the catalogue is Google's so far. */
export function reachOf(
  client: ProviderClient,
  draft: { workspace_id: string; connection_id: string },
  deadline: AbortSignal,
): Reach {
  const { workspace_id: workspaceId, connection_id: connectionId } = draft;
  return { client, link: { workspaceId, connectionId, provider: 'google', deadline } };
}

export type ProviderRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** At the provider's own host; the operator's base URL takes its place when one is set. */
  url: string;
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; text is sent as it is, with the content type of `headers`. */
  body?: unknown;
  timeoutMs?: number;
  maxBytes?: number;
};

/**
 * A provider refused, or could not be reached. `delivery` says whether a write may have happened all the same; an
 * answer of 4xx says it did not.
 */
export class ProviderFault extends AppError {
  readonly delivery: Delivery;
  readonly status: number | null;

  constructor(
    message: string,
    fault: { diagnostics: Diagnostics; delivery: Delivery; status: number | null; cause?: unknown },
  ) {
    super('upstream_failed', message, { diagnostics: fault.diagnostics }, { cause: fault.cause });
    this.delivery = fault.delivery;
    this.status = fault.status;
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return (this.details['diagnostics'] as Diagnostics).retryable; // set by the constructor above
  }
}

/** Calls providers in the name of linked accounts. Answers are 2xx; everything else is a `ProviderFault`. */
export type ProviderClient = {
  send(link: Link, request: ProviderRequest): Promise<EgressResponse>;
  /** As `send`, with the JSON of the answer. */
  json(link: Link, request: ProviderRequest): Promise<unknown>;
};

const readAttempts = 4;
const longestWaitMs = 10_000;
const pageBytes = 10_000_000;

type Options = { egress: Egress; tokens: TokenSource; clients: Clients };

export function createProviderClient(options: Options): ProviderClient {
  const { tokens } = options;

  /** A token for the link. Whatever goes wrong here, the call it is for has not left. */
  async function tokenFor({ workspaceId, connectionId, deadline }: Link, refused?: string): Promise<string> {
    try {
      const token = tokens.accessToken(workspaceId, connectionId, refused);
      return await (deadline ? Promise.race([token, ended(deadline)]) : token);
    } catch (error) {
      throw unsent(error);
    }
  }

  /** A token that was refused is renewed once: the provider did nothing for the refused call. */
  async function authorised(link: Link, request: ProviderRequest): Promise<EgressResponse> {
    const token = await tokenFor(link);
    const response = await once(options, link, request, token);
    if (response.status !== 401) return checked(response, token);
    const renewed = await tokenFor(link, token);
    return checked(await once(options, link, request, renewed), renewed);
  }

  async function send(link: Link, request: ProviderRequest): Promise<EgressResponse> {
    const attempts = request.method === 'GET' ? readAttempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await authorised(link, request);
      } catch (error) {
        const mayRepeat = error instanceof ProviderFault && attempt < attempts && !link.deadline?.aborted;
        const wait = mayRepeat ? waitOf(error, attempt) : null;
        if (wait === null) throw error;
        await sleep(wait);
      }
    }
  }

  return { send, json: async (link, request) => bodyJson(await send(link, request)) };
}

/** One request, as it is; a network fault says whether it may have left. */
async function once(
  { egress, clients }: Options,
  link: Link,
  request: ProviderRequest,
  accessToken: string,
): Promise<EgressResponse> {
  const baseUrl = clients.baseUrlOf(link.provider);
  const isJson = request.body !== undefined && typeof request.body !== 'string';
  try {
    return await egress.request({
      method: request.method,
      url: withQuery(placed(request.url, baseUrl), request.query),
      headers: {
        accept: 'application/json',
        ...(isJson && { 'content-type': 'application/json' }),
        ...request.headers,
        authorization: `Bearer ${accessToken}`,
      },
      ...(request.body !== undefined && { body: isJson ? JSON.stringify(request.body) : (request.body as string) }),
      timeoutMs: request.timeoutMs ?? 30_000,
      maxBytes: request.maxBytes ?? pageBytes,
      redirects: request.method === 'GET' ? 'follow' : 'refuse',
      allow: baseUrl ? [baseUrl] : [],
      secrets: [accessToken],
      ...(link.deadline && { signal: link.deadline }),
    });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new ProviderFault(error.message, {
      diagnostics: error.diagnostics,
      delivery: error.delivery,
      status: null,
      cause: error,
    });
  }
}

function checked(response: EgressResponse, accessToken: string): EgressResponse {
  if (response.status >= 200 && response.status < 300) return response;
  const diagnostics = diagnose(response, { secrets: [accessToken] });
  const said = diagnostics.providerMessage ? `: ${diagnostics.providerMessage}` : '';
  throw new ProviderFault(`The provider answered ${response.status}${said}. ${diagnostics.resolution}`, {
    diagnostics,
    delivery: response.status >= 500 ? 'maybe_sent' : 'not_sent',
    status: response.status,
  });
}

/** How long to wait before a read is tried again; null when trying again would not help. */
function waitOf({ details }: ProviderFault, attempt: number): number | null {
  const { retryable, retryAfterSeconds } = details['diagnostics'] as Diagnostics; // set by the constructor above
  if (!retryable) return null;
  const wait = retryAfterSeconds === undefined ? 250 * 2 ** attempt : retryAfterSeconds * 1000;
  return wait <= longestWaitMs ? wait : null;
}

function withQuery(url: string, query: ProviderRequest['query'] = {}): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) target.searchParams.append(name, String(each));
  }
  return target.href;
}

function ended(deadline: AbortSignal): Promise<never> {
  const late = new AppError('unavailable', 'There was no access to the account in time.');
  return new Promise((_resolve, reject) => {
    if (deadline.aborted) reject(late);
    deadline.addEventListener('abort', () => reject(late), { once: true });
  });
}

/** Our own error as it is, with the word that its request has not left. */
function unsent(error: unknown): unknown {
  return error instanceof AppError ? Object.assign(error, { delivery: 'not_sent' satisfies Delivery }) : error;
}
