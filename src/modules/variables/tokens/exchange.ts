// Asks a token endpoint in the name of code, and keeps what it answers: code gets handles, and a refresh token that changed is stored.
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

/** A token of an answer: where it stood, and what stands there instead. */
export type FoundToken = { path: string[]; value: string; handle: string };

export type ExchangeResult = {
  status: number;
  headers: Record<string, string>;
  /** The answer with handles in the place of tokens. */
  json: unknown;
  tokens: FoundToken[];
  hosts: string[];
};

const redacted = '[redacted]';
const shortestSecret = 12;
/** What an endpoint says beside tokens. */
const plain =
  /^(token_type|issued_token_type|expires_(in|at)|.*_expires_in|scopes?|error|error_description|error_uri|instance_url|api_domain|ok|hub_id|user_id|team_id)$/;

/** Asks the endpoint. Values are put in by the door; where the refresh token changed, the variable has the new one before this answers. */
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
 * Where the tokens of a request may go: where every credential that bought them may go, and to the API of the known
 * provider that they were bought from. Other handles of the request add nothing.
 */
function listTokenHosts(request: Omit<TokenRequest, 'variables'>, handles: readonly Handle[]): string[] {
  const buyers = listBuyerHandles(request);
  const [first = [], ...others] = handles.filter(({ handle }) => buyers.includes(handle)).map(({ hosts }) => hosts);
  const common = others.reduce<readonly string[]>(intersectHostRules, first);
  return [...new Set([...listApiHosts(request.url), ...common])];
}

/** The value at a path of a fresh answer; undefined where it has none. */
export function findTokenAt({ tokens }: ExchangeResult, path: readonly string[]): string | undefined {
  return tokens.find((each) => each.path.join('\0') === path.join('\0'))?.value;
}

function parseAnswer(response: EgressResponse): unknown {
  const text = decodeBodyText(response);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return Object.fromEntries(readForm(text, mostFields).fields); // some endpoints answer a form
  }
}

/** More fields than an answer or a request of a token endpoint has. */
const mostFields = 50;

function findRefreshHandle(body: string): string | null {
  const given = new Map(readForm(body, mostFields).fields).get('refresh_token') ?? '';
  const [handle] = listHandles(given);
  return handle === given && handle ? handle : null;
}

/** The refresh token that came in the place of the one that was sent. */
function findNewRefreshToken(body: string, answer: unknown, handles: readonly Handle[]) {
  const handle = findRefreshHandle(body);
  const before = handles.find((each) => each.handle === handle)?.value;
  const after = (answer as { refresh_token?: unknown } | null)?.refresh_token;
  if (!handle || before === undefined || typeof after !== 'string' || !after || after === redacted) return null;
  return { handle, before, after };
}

type TokenReplacement = { tokens: FoundToken[]; isError: boolean; refreshHandle: string | null };

/** Whatever may be a token becomes a handle: what is not known to be plain counts as one. */
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
