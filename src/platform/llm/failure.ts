// The possible errors of a question in one table: how each is recognised, and what the caller should do.
import { AppError, type ErrorCode } from '#kernel/errors';
import { decodeBodyText, diagnose, type EgressError, type EgressResponse, type ErrorCategory } from '#platform/egress';
import type { ModelSettings } from './model-settings.ts';

type Reason = { code: ErrorCode; isWorthRetrying?: boolean; message: (model: ModelSettings) => string };

const reasons = {
  bad_key: {
    code: 'upstream_failed',
    message: ({ provider, keySetting }) =>
      `${provider} does not accept this server's key. The operator must set a valid ${keySetting}.`,
  },
  no_credit: {
    code: 'upstream_failed',
    message: ({ provider }) => `The account at ${provider} has no credit left. Its owner must add credit there.`,
  },
  unknown_model: {
    code: 'upstream_failed',
    message: ({ provider, model, modelSetting }) =>
      `${provider} has no model ${model}, or this key may not use it. The operator must set another ${modelSetting}.`,
  },
  rate_limited: {
    code: 'upstream_failed',
    isWorthRetrying: true,
    message: ({ provider }) => `${provider} accepts no more questions for now. Wait, then ask again.`,
  },
  too_long: {
    code: 'payload_too_large',
    message: ({ model }) => `This is longer than ${model} accepts. Ask about less at once.`,
  },
  unsupported_form: {
    code: 'upstream_failed',
    message: ({ model, modelSetting }) =>
      `${model} cannot answer in a given form. The operator must set another ${modelSetting}.`,
  },
  refused: {
    code: 'upstream_failed',
    message: ({ provider }) => `${provider} refuses to answer this. Ask it in another way.`,
  },
  not_accepted: {
    code: 'upstream_failed',
    message: ({ provider, model }) => `${provider} did not accept the question for ${model}.`,
  },
  down: {
    code: 'upstream_failed',
    isWorthRetrying: true,
    message: ({ provider }) => `${provider} has an error. Try again later.`,
  },
  unreachable: {
    code: 'upstream_failed',
    message: ({ baseUrl }) => `The language model at ${new URL(baseUrl).origin} cannot be reached.`,
  },
  timeout: {
    code: 'upstream_failed',
    message: ({ model }) => `${model} did not answer in time. Try again, or ask for less.`,
  },
  too_large: {
    code: 'upstream_failed',
    message: ({ model }) => `The answer of ${model} is too large, so reading stopped. Ask for less.`,
  },
  cancelled: { code: 'unavailable', message: () => 'The question was cancelled before there was an answer.' },
  cut: {
    code: 'upstream_failed',
    message: ({ model }) => `The answer of ${model} was longer than allowed and was cut. Ask for less.`,
  },
  no_answer: {
    code: 'upstream_failed',
    message: () => 'The language model returned no usable answer. Rephrase the request, or pass the fields.',
  },
} as const satisfies Record<string, Reason>;

export type FailureReason = keyof typeof reasons;

/** The errors of providers, by status and body. Read from top to bottom; the first match applies. */
const signs: readonly (readonly [RegExp, FailureReason])[] = [
  [/^402 |insufficient_quota|billing_error|credit balance is too low|exceeded your current quota/i, 'no_credit'],
  [/^401 |invalid_api_key|authentication_error/i, 'bad_key'],
  [/context_length|maximum context length|prompt is too long|request too large|too many tokens/i, 'too_long'],
  [/^413 /, 'too_long'],
  [/^4\d\d .*(model_not_found|model_decommissioned|does not exist|not_found_error)/is, 'unknown_model'],
  [/^404 /, 'unknown_model'],
  [/^403 /, 'bad_key'],
  [/^(400|422) .*(response_format|json_schema|output_format|structured output)/is, 'unsupported_form'],
  [/^429 /, 'rate_limited'],
  [/^(408|504) /, 'timeout'],
  [/^5\d\d |overloaded/i, 'down'],
  [/content_filter|content_policy/i, 'refused'],
];

const byCategory: Partial<Record<ErrorCategory, FailureReason>> = {
  timeout: 'timeout',
  cancelled: 'cancelled',
  too_large: 'too_large',
  network: 'unreachable',
};

/** A question without a usable answer. Its message says what to do, and contains neither the key nor the question. */
export class LlmFailure extends AppError {
  readonly reason: FailureReason;
  readonly isWorthRetrying: boolean;

  constructor(model: ModelSettings, reason: FailureReason, more: FailureFacts = {}) {
    const { code, message, isWorthRetrying = false }: Reason = reasons[reason];
    const { said, retryAfterSeconds, cause } = more;
    const details = { reason, provider: model.provider, model: model.model };
    const text = said === undefined ? message(model) : `${message(model)} It says: «${said}»`;
    super(
      code,
      text,
      { ...details, ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }) },
      { cause },
    );
    this.name = 'LlmFailure';
    this.reason = reason;
    this.isWorthRetrying = isWorthRetrying;
  }
}

type FailureFacts = { said?: string | undefined; retryAfterSeconds?: number | undefined; cause?: unknown };

/** The error for an answer with an error status. */
export function createFailureFromResponse(model: ModelSettings, response: EgressResponse): LlmFailure {
  const { providerMessage: said, retryAfterSeconds } = diagnose(response, {
    secrets: listModelSecrets(model),
  });
  return new LlmFailure(model, classifyFailure(`${response.status} ${decodeBodyText(response)}`), {
    said,
    retryAfterSeconds,
  });
}

/** The error for a request that failed on the network. */
export function createFailureFromEgressError(model: ModelSettings, error: EgressError): LlmFailure {
  const reason = byCategory[error.diagnostics.errorCategory] ?? 'unreachable';
  return new LlmFailure(model, reason, { cause: error, ...(reason === 'unreachable' && { said: error.message }) });
}

/** The error for a status and the provider's message. */
export function classifyFailure(statusAndBody: string): FailureReason {
  return signs.find(([sign]) => sign.test(statusAndBody))?.[1] ?? 'not_accepted';
}

/** The texts that no message may contain. */
export function listModelSecrets({ apiKey }: ModelSettings): string[] {
  return apiKey ? [apiKey] : [];
}
