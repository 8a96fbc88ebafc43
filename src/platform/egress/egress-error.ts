// The one error of this folder, and what each kind of failure means for its callers.
import { AppError, type ErrorCode } from '#kernel/errors';
import { redactSecrets } from './redact.ts';

type CategoryFacts = { code: ErrorCode; retryable: boolean; builderCanRepair: boolean; resolution: string };

/** Every kind of failure: its error code, whether waiting helps, who can fix it and how. */
export const errorCategories = {
  auth: {
    code: 'upstream_failed',
    retryable: false,
    builderCanRepair: false,
    resolution: 'Reconnect the account or renew the credential: the provider does not accept it.',
  },
  permission: {
    code: 'upstream_failed',
    retryable: false,
    builderCanRepair: false,
    resolution: 'Give the connected account the permission or scope that this call needs.',
  },
  not_found: {
    code: 'upstream_failed',
    retryable: false,
    builderCanRepair: true,
    resolution: 'Check the id and the path: the provider does not know it or does not show it to this account.',
  },
  conflict: {
    code: 'upstream_failed',
    retryable: false,
    builderCanRepair: true,
    resolution: 'Read the current state from the provider and try again from there.',
  },
  rate_limited: {
    code: 'upstream_failed',
    retryable: true,
    builderCanRepair: false,
    resolution: 'Wait and retry: the rate limit of the provider is reached.',
  },
  invalid_request: {
    code: 'invalid_input',
    retryable: false,
    builderCanRepair: true,
    resolution: 'Correct the request: its fields, headers or body are invalid.',
  },
  provider_down: {
    code: 'upstream_failed',
    retryable: true,
    builderCanRepair: false,
    resolution: 'Try again later: the provider has an error.',
  },
  timeout: {
    code: 'upstream_failed',
    retryable: true,
    builderCanRepair: false,
    resolution: 'Try again later or ask for less: the provider did not answer in time.',
  },
  network: {
    code: 'upstream_failed',
    retryable: true,
    builderCanRepair: false,
    resolution: 'Check the host name and that this server can reach it, then try again.',
  },
  tls: {
    code: 'upstream_failed',
    retryable: false,
    builderCanRepair: false,
    resolution: "The host's certificate is invalid for this name or not trusted. It must be corrected there.",
  },
  bad_response: {
    code: 'upstream_failed',
    retryable: false,
    builderCanRepair: true,
    resolution: 'Check that the URL is an API: the answer cannot be read.',
  },
  blocked: {
    code: 'invalid_input',
    retryable: false,
    builderCanRepair: true,
    resolution:
      'Use an https URL of a public host. Only the operator can allow other targets, with THALAMUS_EGRESS_ALLOW.',
  },
  secret: {
    code: 'invalid_input',
    retryable: false,
    builderCanRepair: true,
    resolution:
      'Use the handle only in its placements and for its hosts; see `list_variables`. Setting the value again can change both.',
  },
  too_large: {
    code: 'payload_too_large',
    retryable: false,
    builderCanRepair: true,
    resolution: 'Ask the provider for less at once: fewer items, fewer fields or a smaller page.',
  },
  cancelled: {
    code: 'unavailable',
    retryable: true,
    builderCanRepair: false,
    resolution: 'Repeat the call if you still want it: this server stopped it.',
  },
} as const satisfies Record<string, CategoryFacts>;

export type ErrorCategory = keyof typeof errorCategories;

/**
 * The error, safe to show: it contains no secret. `status` and `providerMessage` are the provider's and only set when
 * it answered. `retryable` says whether the same request may succeed later; check `delivery` too before repeating a
 * write. `builderCanRepair` says whether changing the request or the integration can help.
 */
export type Diagnostics = {
  status?: number;
  providerMessage?: string;
  errorCategory: ErrorCategory;
  resolution: string;
  retryable: boolean;
  builderCanRepair: boolean;
  retryAfterSeconds?: number;
};

/** `not_sent`: no byte of any request was sent. `maybe_sent`: the provider received it, or may have. */
export type Delivery = 'not_sent' | 'maybe_sent';

/** An error inside this folder, before it is known what was sent and which secrets to redact. */
export class Failure extends Error {
  readonly category: ErrorCategory;
  readonly status: number | undefined;

  constructor(category: ErrorCategory, message: string, facts: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: facts.cause });
    this.category = category;
    this.status = facts.status;
  }
}

/** A request that was refused or that failed. An answer with an error status is not an EgressError. */
export class EgressError extends AppError {
  readonly delivery: Delivery;
  readonly diagnostics: Diagnostics;

  constructor(failure: Failure, delivery: Delivery, secrets: readonly string[] = []) {
    const { code, ...facts } = errorCategories[failure.category];
    const diagnostics: Diagnostics = { errorCategory: failure.category, ...facts };
    if (failure.status !== undefined) diagnostics.status = failure.status;
    const cause = redactCause(failure.cause, secrets);
    super(code, redactSecrets(failure.message, secrets), { delivery, ...diagnostics }, { cause });
    this.name = 'EgressError';
    this.delivery = delivery;
    this.diagnostics = diagnostics;
  }
}

/** The library's errors may contain bytes of the answer, so only their messages are kept. */
function redactCause(cause: unknown, secrets: readonly string[]): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  const copy = new Error(redactSecrets(cause.message, secrets));
  copy.name = cause.name;
  const code = 'code' in cause ? { code: cause.code } : {};
  return Object.assign(copy, code, { cause: redactCause(cause.cause, secrets) });
}
