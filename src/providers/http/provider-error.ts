import type { Delivery } from '#kernel/action';
import { AppError } from '#kernel/errors';
import type { Diagnostics } from '#platform/egress';

/**
 * A provider refused a request, or could not be reached. `delivery` says whether a write may have happened anyway; an
 * answer of 4xx says it did not.
 */
export class ProviderError extends AppError {
  readonly delivery: Delivery;
  readonly status: number | null;

  constructor(
    message: string,
    failure: { diagnostics: Diagnostics; delivery: Delivery; status: number | null; cause?: unknown },
  ) {
    super('upstream_failed', message, { diagnostics: failure.diagnostics }, { cause: failure.cause });
    this.delivery = failure.delivery;
    this.status = failure.status;
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return this.#diagnostics.retryable;
  }

  get category(): Diagnostics['errorCategory'] {
    return this.#diagnostics.errorCategory;
  }

  get #diagnostics(): Diagnostics {
    return this.details['diagnostics'] as Diagnostics; // set by the constructor above
  }
}

/** How long a provider, or our own token refresh, asks to wait; 0 by default. */
export function readPauseMs(error: unknown): number {
  if (!(error instanceof AppError)) return 0;
  const { diagnostics, retry_after } = error.details as { diagnostics?: Diagnostics; retry_after?: number };
  return 1000 * (diagnostics?.retryAfterSeconds ?? retry_after ?? 0);
}

/** Whether a provider says that the item does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ProviderError && error.category === 'not_found';
}

/** Error codes which mean that something does not exist, or that this account may not read it. */
const withheld: readonly string[] = ['not_found', 'permission', 'invalid_request'];

/** Whether something does not exist, or this account may not read it. */
export function isWithheld(error: unknown): boolean {
  return error instanceof ProviderError && withheld.includes(error.category);
}
