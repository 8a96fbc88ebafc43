// Reads any address of the web, as a person described it: only its own host, and only what cannot change anything there.
import type { Egress, EgressResponse, Handle, MayReach } from '#platform/egress';
import type { FilledRequest } from './fill.ts';
import { createProviderError, toProviderError } from './provider-error.ts';
import { retryRead } from './retry-read.ts';

const mostBytes = 10_000_000;

export type WebRead = {
  /** The secrets whose handles are in the request. */
  handles: readonly Handle[];
  /** Asked about the filled address before each attempt. */
  mayReach: MayReach;
  deadline: AbortSignal;
  /** Called before each further attempt. */
  onRetry(): void;
};

/** The answer, of a status of success. Retries what may succeed later. Throws a `ProviderError` for every other outcome. */
export function readWeb(
  egress: Egress,
  { method, url, headers }: FilledRequest,
  { handles, mayReach, deadline, onRetry }: WebRead,
): Promise<EgressResponse> {
  return retryRead(
    async () => {
      const response = await egress
        .request({
          method,
          url,
          headers: { accept: 'application/json', ...headers },
          isWeb: true,
          readsOnly: true,
          redirects: 'refuse',
          hosts: [new URL(url).hostname],
          handles,
          mayReach,
          maxBytes: mostBytes,
          signal: deadline,
        })
        .catch((error: unknown) => {
          throw toProviderError(error);
        });
      if (response.status >= 200 && response.status < 300) return response;
      throw createProviderError(
        response,
        {},
        handles.map(({ value }) => value),
      );
    },
    { deadline, onRetry },
  );
}
