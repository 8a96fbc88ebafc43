import { AppError } from '#kernel/errors';
import { readPauseMs } from '#providers/http';
import type { SyncRow } from '../store/syncs.ts';
import { MayNotWrite } from './may-not-write.ts';

const firstWaitMs = 30_000;
const longestWaitMs = 6 * 60 * 60_000;
/** A longer pause is treated as a mistake of the provider: it would stop the sync forever. */
const longestAskedMs = 24 * 60 * 60_000;

/** The pause after a failed reading: what the provider asks for, otherwise growing with each failure. */
export function planSyncRetry(error: unknown, { failures }: Pick<SyncRow, 'failures'>) {
  const asked = Math.min(longestAskedMs, readPauseMs(error));
  const waitMs = Math.max(asked, Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(failures, 12)));
  return { waitMs, isGivenUp: error instanceof MayNotWrite };
}

/** The error text for people. Unknown errors are bugs; the log has them. */
export function describeSyncFailure(error: unknown): string {
  if (error instanceof AppError || error instanceof MayNotWrite) return error.message;
  return 'Something went wrong on the server during reading. Thalamus will try again.';
}
