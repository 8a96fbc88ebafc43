import { listClientNetworks } from '#kernel/client-networks';
import { AppError } from '#kernel/errors';
import type { MiddlewareHandler } from 'hono';
import { getClientAddress } from '#faces/rest';

const minute = 60_000;
/** More addresses than people use within a minute. At this number all counts restart. */
const mostAddresses = 50_000;

/** Work before sign-in: the requests a minute of each address. The first matching entry counts. */
const shares: readonly (readonly [path: RegExp, perMinute: number])[] = [
  [/^\/auth\/mail$/, 20],
  [/^\/auth\/providers\//, 20],
  [/^\/auth\/(password|second-factor|prove)$/, 120],
  [/^\/auth\//, 300],
  [/^\/oauth\/register$/, 60],
  [/^\/oauth\/(device$|consent\/)/, 60],
  [/^\/oauth\/(authorize|device_authorization)/, 120],
  [/^\/oauth\/(token|revoke)$/, 1_200],
  [/^\/(api\/oauth\/callback$|bundle-oauth-callback$|set-variables?\/)/, 120],
  [/^\/form\//, 60],
  [/^\/hooks\//, 1_200],
  [/^\/v1\/feed$/, 1_200],
];

/**
 * Gives each address a share of the work before sign-in. The counts belong to this process, because they limit the work
 * of this process. Throws `rate_limited`.
 */
export function limitEachAddress(now: () => Date): MiddlewareHandler {
  const takes = shares.map(([path, perMinute]) => ({ path, take: createShare(perMinute, now) }));
  return async (c, next) => {
    takes.find(({ path }) => path.test(c.req.path))?.take(getClientAddress(c));
    await next();
  };
}

/** Counts the requests of each address, and of the IPv6 networks around it, in a minute. Throws `rate_limited`. */
export function createShare(perMinute: number, now: () => Date): (address: string) => void {
  let counts = new Map<string, number>();
  let endsAt = 0;
  return (address) => {
    const at = now().getTime();
    if (at >= endsAt || counts.size > mostAddresses) [counts, endsAt] = [new Map(), at + minute];
    let isOver = false;
    for (const { network, shares } of listClientNetworks(address)) {
      const count = (counts.get(network) ?? 0) + 1;
      counts.set(network, count);
      isOver ||= count > perMinute * shares;
    }
    if (!isOver) return;
    const seconds = Math.max(1, Math.ceil((endsAt - at) / 1000));
    const message = `More than ${perMinute} such requests in a minute came from your address. Wait ${seconds} s and try again.`;
    throw new AppError('rate_limited', message, { retry_after: seconds });
  };
}
