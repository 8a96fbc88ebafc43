// Google's rate limit errors.
import type { QuotaMeter } from '../kit/quota.ts';
import { createLegacyError, createModernError } from './errors.ts';
import type { Api } from './errors.ts';

/** Counts a request; throws once the account is over its limit. */
export function checkQuota(meter: QuotaMeter, api: Api, account: string, now: Date): void {
  const quotaState = meter.count(account, now);
  if (!quotaState?.exceeded) return;
  if (api === 'calendar' || api === 'drive') {
    throw createLegacyError(403, {
      domain: 'usageLimits',
      reason: 'userRateLimitExceeded',
      message: 'User Rate Limit Exceeded',
    });
  }
  const message = `User-rate limit exceeded.  Retry after ${quotaState.resetsAt.toISOString()}`;
  throw createModernError(429, { domain: 'usageLimits', reason: 'rateLimitExceeded', message });
}
