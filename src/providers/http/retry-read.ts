// Repeats what only reads, as long as a retry may help.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Diagnostics } from '#platform/egress';
import { ProviderError } from './provider-error.ts';

const mostAttempts = 4;
const longestWaitMs = 10_000;

/** Reads, and tries again when the service may answer later. `onRetry` is called before each further attempt. */
export async function retryRead<T>(
  read: () => Promise<T>,
  { deadline, onRetry }: { deadline?: AbortSignal | undefined; onRetry?: () => void } = {},
): Promise<T> {
  let first: unknown;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      // The provider's error says more than the fact that no time is left for a retry.
      if (first !== undefined && deadline?.aborted) throw first;
      first ??= error;
      const mayRepeat = error instanceof ProviderError && attempt < mostAttempts && !deadline?.aborted;
      const wait = mayRepeat ? computeWait(error, attempt) : null;
      if (wait === null) throw error;
      await sleep(wait);
      onRetry?.();
    }
  }
}

/** How long to wait before a read is retried; null when a retry would not help. */
function computeWait({ details }: ProviderError, attempt: number): number | null {
  const { retryable, retryAfterSeconds } = details['diagnostics'] as Diagnostics; // set by the constructor above
  if (!retryable) return null;
  const wait = retryAfterSeconds === undefined ? 250 * 2 ** attempt : retryAfterSeconds * 1000;
  return wait <= longestWaitMs ? wait : null;
}
