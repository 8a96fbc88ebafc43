import { AppError } from '#kernel/errors';
import { askedPauseMs } from '../provider-fault.ts';
import type { SyncRow } from '../store/syncs.ts';
import { MayNotWrite } from './may-not-write.ts';

const firstWaitMs = 30_000;
const longestWaitMs = 6 * 60 * 60_000;
/** Who asks for more has made a mistake, and would never be asked again. */
const longestAskedMs = 24 * 60 * 60_000;

/** After how long a reading that failed is tried again: as the provider asks, else later each time. */
export function nextAfterFailure(error: unknown, { failures }: Pick<SyncRow, 'failures'>) {
  const asked = Math.min(longestAskedMs, askedPauseMs(error));
  const waitMs = Math.max(asked, Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures, 12)));
  return { waitMs, isGivenUp: error instanceof MayNotWrite };
}

/** What people are told. What is not meant for them is a bug, and stands in the log. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError || error instanceof MayNotWrite) return error.message;
  return 'Something went wrong on the server while it was read. It is tried again.';
}
