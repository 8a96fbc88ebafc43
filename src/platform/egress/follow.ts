// Follows one call through all its redirects, for complete and streamed answers.
import type { Pools } from './connector.ts';
import type { Deadline } from './deadline.ts';
import { Failure } from './egress-error.ts';
import type { Hop } from './exchange.ts';
import { type Handle, fillHop, replaceValuesByHandles } from './handles.ts';
import { checkOwnMethod } from './overrides.ts';
import { checkReadsOnly } from './reads-only.ts';
import { isRedirect, buildNextHop } from './redirects.ts';
import type { TargetRules } from './target.ts';
import { buildWireRequest, toRealLocation } from './web-stand-in.ts';

/** One running call. `sent` becomes true before the first byte of its first request is sent, and stays true. */
export type Call = {
  pools: Pools;
  rules: TargetRules;
  maxBytes: number;
  deadline: Deadline;
  stepsAllowed: number;
  sent: boolean;
  handles: readonly Handle[];
  /** The only headers that may contain handles, in lower case; undefined: the whole request may. */
  handleHeaders: ReadonlySet<string> | undefined;
  mayReach: MayReach | undefined;
  /** The operator's stand-in for the web, when this call goes to any host of it. */
  standIn: string | null;
  /** The secrets whose values were sent so far. */
  used: Set<Handle>;
};

/**
 * Throws for an address that this call may not reach. Called before each request with the filled and canonical address.
 */
export type MayReach = (url: URL) => Promise<void> | void;

type Head = { status: number; headers: Record<string, string> };

/** Sends one request; its pool is chosen before. `letGo` is called for an answer that nobody reads. */
export type Exchange<Answer extends Head> = {
  send: (pool: Pools[keyof Pools], hop: Hop) => Promise<Answer>;
  letGo?: (answer: Answer) => Promise<void>;
};

/** The answer at the end of the redirects, and the request that it answers. Rejects with a Failure. */
export async function follow<Answer extends Head>(
  first: Hop,
  call: Call,
  { send, letGo }: Exchange<Answer>,
): Promise<{ hop: Hop; answer: Answer }> {
  let hop = first;
  for (let step = 0; ; step += 1) {
    // Checked as it is sent: a handle may hide a host's own path, and a redirect may lead anywhere.
    const filled = fillHop(hop, call.handles, call.handleHeaders);
    checkOwnMethod(filled.hop.url);
    // A redirect is never followed with a POST that is declared as a read, not even back to the same address.
    if (call.rules.readsOnly) checkReadsOnly(filled.hop, step === 0 ? call.rules.readByPost : undefined);
    await call.mayReach?.(new URL(filled.hop.url));
    for (const handle of filled.used) call.used.add(handle);
    const wire = buildWireRequest(filled.hop, call.rules, call.standIn);
    const answer = await send(call.pools[wire.route], wire.hop);
    if (!isRedirect(answer)) return { hop, answer };
    await letGo?.(answer);
    if (step === call.stepsAllowed) throw createRedirectsFailure(hop, answer, step);
    hop = buildNextHop(hop, withHandlesInLocation(withRealLocation(answer, hop, call), call));
  }
}

/** The answer, with its `Location` at the host that was asked when a stand-in answered. */
function withRealLocation({ status, headers }: Head, hop: Hop, { standIn }: Call): Head {
  const { location } = headers;
  if (location === undefined) return { status, headers };
  return { status, headers: { ...headers, location: toRealLocation(location, hop, standIn) } };
}

/** The answer, with handles in place of values that its `Location` repeats. */
function withHandlesInLocation({ status, headers }: Head, { used }: Call): Head {
  if (!used.size) return { status, headers };
  const location = replaceValuesByHandles(headers['location'] ?? '', [...used]);
  return { status, headers: { ...headers, location } };
}

function createRedirectsFailure(hop: Hop, { status }: Head, stepsAllowed: number): Failure {
  if (stepsAllowed === 0)
    return new Failure('blocked', `${hop.url.origin} redirects, which this call does not allow.`, { status });
  return new Failure('blocked', `There were more than ${stepsAllowed} redirects.`, { status });
}
