// Failures a test orders in advance. `before` means the request changed nothing; `after` means it took effect and the
// client did not learn of it.

/** Before or after the request took effect. */
export type FailurePoint = 'before' | 'after';

/** The failure to produce. */
export type Failure =
  /** Answers this status; 429 and 503 may carry Retry-After in seconds. */
  | { kind: 'status'; status: number; when?: FailurePoint; retryAfter?: number; reason?: string }
  /** Answers as this provider does when a quota is used up, such as 403 rateLimitExceeded of Calendar and Drive. */
  | { kind: 'rate_limited' }
  /** Waits, then behaves. */
  | { kind: 'delay'; ms: number }
  /** Closes the connection without an answer. */
  | { kind: 'cut'; when: FailurePoint }
  /** Never answers; the client's own time-out has to end it. */
  | { kind: 'hang'; when: FailurePoint }
  /** Answers what a success would have answered, and keeps nothing of it. */
  | { kind: 'lie' }
  /** The token endpoint's answer to a revoked or expired grant. */
  | { kind: 'invalid_grant' }
  /** Sends the true answer in pieces, `ms` apart. */
  | { kind: 'drip'; ms: number; pieces: number }
  /** Sends the first half of the true answer, and closes the connection. */
  | { kind: 'break' }
  /** Answers 200 with a page of HTML, as a proxy in between might. */
  | { kind: 'garbage' };

/** Which request fails. A string path must be equal, a pattern must match; `body`: its body as text must match. */
export type FailureMatch = { method?: string; path?: string | RegExp; account?: string; body?: RegExp };

/** The facts of a request for choosing a failure. */
type RequestFacts = { method: string; path: string; account?: string; body: Buffer };

/** A request that was stopped on its way, until the test lets it go. */
export type PausedRequest = {
  /** Resolves once the request has arrived (or has taken effect). */
  reached: Promise<void>;
  release(): void;
};

/** The orders of a test. */
export type Failures = {
  next(match: FailureMatch, failure: Failure, times?: number): void;
  /** Stops the next matching request before or after it takes effect. */
  pause(match: FailureMatch, when?: FailurePoint): PausedRequest;
  clear(): void;
};

/** The failures that a provider answers in its own words. */
export type OrderedAnswer = Extract<Failure, { kind: 'status' | 'rate_limited' | 'invalid_grant' }>;

/** What the server does for one request. */
export type FailureOrder = Failure | { kind: 'hold'; when: FailurePoint; pass: () => Promise<void> };

type ActiveFailure = { match: FailureMatch; order: FailureOrder; left: number; release?: () => void };

/** The orders with the side that the server takes them from. */
export type FailureDesk = Failures & {
  take(request: RequestFacts): FailureOrder | undefined;
};

/** Whether a request is meant. */
export function isRequestMatch(match: FailureMatch, request: RequestFacts): boolean {
  if (match.method && match.method.toUpperCase() !== request.method) return false;
  if (match.account && match.account.toLowerCase() !== request.account?.toLowerCase()) return false;
  if (match.body && !match.body.test(request.body.toString('utf8'))) return false;
  if (match.path instanceof RegExp) return match.path.test(request.path);
  return match.path === undefined || match.path === request.path;
}

/** A desk without orders. */
export function createFailures(): FailureDesk {
  let activeFailures: ActiveFailure[] = [];
  return {
    next: (match, failure, times = 1) => void activeFailures.push({ match, order: failure, left: times }),
    pause(match, when = 'before') {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const pass = () => {
        reached.resolve();
        return released.promise;
      };
      activeFailures.push({ match, order: { kind: 'hold', when, pass }, left: 1, release: released.resolve });
      return { reached: reached.promise, release: released.resolve };
    },
    clear() {
      for (const order of activeFailures) order.release?.();
      activeFailures = [];
    },
    take(request) {
      const found = activeFailures.find((order) => isRequestMatch(order.match, request));
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) activeFailures = activeFailures.filter((order) => order !== found);
      return found.order;
    },
  };
}
