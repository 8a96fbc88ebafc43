// Calls a token endpoint in the name of code, and stores the tokens: code gets handles, and a changed refresh token is
// stored.
import type { Db, Transactions } from '#kernel/database';
import {
  decodeBodyText,
  listHandles,
  intersectHostRules,
  type Egress,
  type EgressResponse,
  type Handle,
} from '#platform/egress';
import type { Vault } from '#platform/vault';
import { readForm } from '#platform/forms';
import { generateHandle } from '../handles.ts';
import type { TokenRequest } from '../store/run-secrets.ts';
import { rotateValue } from '../variables.ts';
import { toStandInAddress, listApiHosts, findStandInUrl, type BaseUrls } from './stand-in.ts';
import { listBuyerHandles } from './token-request.ts';

export type ExchangeDeps = { egress: Egress; vault: Vault; transactions: Transactions; baseUrls: BaseUrls };

/** A token of an answer: its position, and the handle that replaces it. */
export type FoundToken = { path: string[]; value: string; handle: string };

export type ExchangeResult = {
  status: number;
  headers: Record<string, string>;
  /** The answer with handles in place of tokens. */
  json: unknown;
  tokens: FoundToken[];
  hosts: string[];
};

const redacted = '[redacted]';
const shortestSecret = 12;
/** The fields of an endpoint's answer that are not tokens. */
const plain =
  /^(token_type|issued_token_type|expires_(in|at)|.*_expires_in|scopes?|error|error_description|error_uri|instance_url|api_domain|ok|hub_id|user_id|team_id)$/;

/**
 * Calls the endpoint. Egress fills in the values; a changed refresh token is stored in its variable before this
 * returns.
 */
export async function exchange(
  { egress, vault, transactions, baseUrls }: ExchangeDeps,
  workspaceId: string,
  { url, headers, body, variables }: TokenRequest,
  handles: readonly Handle[],
  signal?: AbortSignal,
): Promise<ExchangeResult> {
  const standIn = findStandInUrl(url, handles, baseUrls);
  const response = await egress.request({
    method: 'POST',
    url: toStandInAddress(url, standIn),
    isWeb: true,
    headers,
    body,
    handles,
    redirects: 'refuse',
    ...(standIn && { allow: [standIn] }),
    ...(signal && { signal }),
  });
  const answer = parseAnswer(response);
  const rotated = response.status < 400 ? findNewRefreshToken(body, answer, handles) : null;
  const variable = rotated && variables.find(({ handle }) => handle === rotated.handle);
  if (rotated && variable) {
    const change = { id: variable.variable_id, from: rotated.before, to: rotated.after };
    await transactions.run(workspaceId, 'write', (db) => rotateValue(vault, db as Db, change));
  }
  const tokens: FoundToken[] = [];
  const isError = response.status >= 400;
  const json = withHandles(answer, [], { tokens, isError, refreshHandle: findRefreshHandle(body) });
  const hosts = listTokenHosts({ url, headers, body }, handles);
  return { status: response.status, headers: { 'content-type': 'application/json' }, json, tokens, hosts };
}

/**
 * Where the tokens of a request may be sent: where every credential that bought them may be sent, and to the API of the
 * known provider that issued them. Other handles of the request add nothing.
 */
function listTokenHosts(request: Omit<TokenRequest, 'variables'>, handles: readonly Handle[]): string[] {
  const buyers = listBuyerHandles(request);
  const [first = [], ...others] = handles.filter(({ handle }) => buyers.includes(handle)).map(({ hosts }) => hosts);
  const common = others.reduce<readonly string[]>(intersectHostRules, first);
  return [...new Set([...listApiHosts(request.url), ...common])];
}

/** The value at a path of a new answer; undefined where it has none. */
export function findTokenAt({ tokens }: ExchangeResult, path: readonly string[]): string | undefined {
  return tokens.find((each) => each.path.join('\0') === path.join('\0'))?.value;
}

function parseAnswer(response: EgressResponse): unknown {
  const text = decodeBodyText(response);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return Object.fromEntries(readForm(text, mostFields).fields); // some endpoints answer with a form
  }
}

/** More fields than an answer or a request of a token endpoint has. */
const mostFields = 50;

function findRefreshHandle(body: string): string | null {
  const given = new Map(readForm(body, mostFields).fields).get('refresh_token') ?? '';
  const [handle] = listHandles(given);
  return handle === given && handle ? handle : null;
}

/** The refresh token that replaces the one that was sent. */
function findNewRefreshToken(body: string, answer: unknown, handles: readonly Handle[]) {
  const handle = findRefreshHandle(body);
  const before = handles.find((each) => each.handle === handle)?.value;
  const after = (answer as { refresh_token?: unknown } | null)?.refresh_token;
  if (!handle || before === undefined || typeof after !== 'string' || !after || after === redacted) return null;
  return { handle, before, after };
}

type TokenReplacement = { tokens: FoundToken[]; isError: boolean; refreshHandle: string | null };

/** Everything that may be a token becomes a handle: a field that is not known to be plain counts as a token. */
function withHandles(value: unknown, path: string[], replacing: TokenReplacement): unknown {
  const name = path.at(-1) ?? '';
  if (typeof value === 'string') {
    if (name === 'refresh_token' && replacing.refreshHandle) return replacing.refreshHandle;
    const isNamed = /token|secret|assertion/i.test(name) && !plain.test(name);
    if (!isNamed && (replacing.isError || plain.test(name) || value.length < shortestSecret)) return value;
    const handle = generateHandle();
    replacing.tokens.push({ path, value, handle });
    return handle;
  }
  if (Array.isArray(value)) return value.map((each, at) => withHandles(each, [...path, String(at)], replacing));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withHandles(each, [...path, key], replacing)]),
  );
}
