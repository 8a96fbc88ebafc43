// Database errors that are not bugs, for callers: the database is unreachable or busy, or a row was deleted meanwhile.
import { AppError } from '#kernel/errors';

/** Two transactions waited for each other, and one was ended (PostgreSQL, appendix A). */
const deadlock = /^40P01$/;
/** A row refers to one that another transaction has just deleted (the same appendix). */
const goneMeanwhile = /^23503$/;
/** A statement, or the wait for a lock, took too long, or there are too many connections (the same appendix). */
const busy = /^(57014|55P03|25P0[34]|53\d{3})$/;
/**
 * The database server is stopping, starting or disconnected (the same appendix), or the connection was lost (errno of
 * the system).
 */
const away =
  /^(57P0[1-5]|58\d{3}|08\d{3}|ECONN(REFUSED|RESET|ABORTED)|E(PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH|NETUNREACH|NETDOWN|HOSTDOWN)|EAI_AGAIN|ENOENT)$/;
/** The same, by the messages of driver errors that have no code. */
const awayInWords =
  /^(Connection (terminated|ended)|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|timeout expired)/;

const comeAgain = { busy: 1, away: 5 };

/** Whether the database ended a transaction because of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error, deadlock);
}

/**
 * Converts temporary database errors to `unavailable`, with the seconds until a retry, and references to deleted rows
 * to `conflict`; every other error is unchanged. `isEnding`: the error came during the commit, so the outcome is
 * unknown.
 */
export function toRefusal(error: unknown, { isEnding = false }: { isEnding?: boolean } = {}): unknown {
  if (hasCode(error, goneMeanwhile)) {
    const message = 'Something this needs was deleted in the meantime. Look it up again, and repeat the call.';
    return new AppError('conflict', message, {}, { cause: error });
  }
  if (isAway(error)) {
    const message = isEnding
      ? 'The connection to the database was lost while this was being stored. Check whether it was stored before you repeat the call.'
      : 'The database cannot be reached. Try again in a moment.';
    return new AppError('unavailable', message, { retry_after: comeAgain.away }, { cause: error });
  }
  if (!hasCode(error, busy)) return error;
  const message = 'The database did not answer in time. Try again in a moment.';
  return new AppError('unavailable', message, { retry_after: comeAgain.busy }, { cause: error });
}

function isAway(error: unknown): boolean {
  try {
    // A name with two addresses fails with an error for each.
    if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isAway);
  } catch {
    return false; // the work may throw anything, even values that cannot be inspected
  }
  return hasCode(error, away) || isMessageMatching(error, awayInWords);
}

function hasCode(error: unknown, codes: RegExp): boolean {
  try {
    return error instanceof Error && 'code' in error && codes.test(String(error.code));
  } catch {
    return false; // the work may throw anything, even values that cannot be inspected
  }
}

function isMessageMatching(error: unknown, pattern: RegExp): boolean {
  try {
    return error instanceof Error && pattern.test(error.message);
  } catch {
    return false;
  }
}
