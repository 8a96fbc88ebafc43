import type { Delivery } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { diagnose, EgressError, parseBodyJson, type Diagnostics, type EgressResponse } from '#platform/egress';
import { z } from 'zod';
import type { Refusals } from './api-schema.ts';

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

/** An error of egress as a provider's; every other error is unchanged. */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof EgressError)) return error;
  const { message, diagnostics, delivery } = error;
  return new ProviderError(message, { diagnostics, delivery, status: null, cause: error });
}

/** The error for an answer that is none of success. `secrets` are redacted from it. */
export function createProviderError(
  response: EgressResponse,
  { rateLimits = [], notFoundBy = [] }: Refusals,
  secrets: readonly string[],
): ProviderError {
  const diagnostics = diagnose(response, {
    secrets,
    limits: rateLimits,
    notFoundBy,
  });
  const said = diagnostics.providerMessage ? `: ${diagnostics.providerMessage.replace(/\.$/, '')}` : '';
  return new ProviderError(`The provider answered ${response.status}${said}. ${diagnostics.resolution}`, {
    diagnostics,
    delivery: isUncertain(response, diagnostics) ? 'maybe_sent' : 'not_sent',
    status: response.status,
  });
}

/** A failing service may have carried out the request, whatever its answer. */
function isUncertain(response: EgressResponse, { errorCategory }: Diagnostics): boolean {
  if (response.status >= 500 || errorCategory === 'provider_down' || errorCategory === 'timeout') return true;
  return response.status < 300 && hasPartialAnswer(response);
}

/** GraphQL can return errors beside results: then only a part of the answer is missing. */
export function hasPartialAnswer(response: EgressResponse): boolean {
  const answer = z.object({ data: z.record(z.string(), z.unknown()) }).safeParse(parseBodyJson(response));
  return answer.success && Object.values(answer.data.data).some((each) => each !== null);
}
