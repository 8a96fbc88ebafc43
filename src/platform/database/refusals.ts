// What callers are told of errors of the database that are no bugs: it is away, busy, or something was deleted meanwhile.
import { AppError } from '#kernel/errors';

/** Two transactions waited for each other, and one was ended (PostgreSQL, appendix A). */
const deadlock = /^40P01$/;
/** A row points to one that another transaction has just deleted (the same). */
const goneMeanwhile = /^23503$/;
/** A statement, or the wait for a lock, took too long, or there is no room for more connections (the same). */
const busy = /^(57014|55P03|25P0[34]|53\d{3})$/;
/** The server ends, starts or is cut off (the same), or the way to it is gone (errno of the system). */
const away =
  /^(57P0[1-5]|58\d{3}|08\d{3}|ECONN(REFUSED|RESET|ABORTED)|E(PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH|NETUNREACH|NETDOWN|HOSTDOWN)|EAI_AGAIN|ENOENT)$/;
/** The same in the words of the driver, whose errors have no code. */
const awayInWords =
  /^(Connection (terminated|ended)|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|timeout expired)/;

const comeAgain = { busy: 1, away: 5 };

/** Whether a transaction was ended since another one waited for it, and it for that. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error, deadlock);
}

/**
 * Trouble of the database as `unavailable`, with the seconds after which to come again; what was deleted meanwhile as `conflict`; every
 * other error as it is. `isEnding`: it came while the transaction was being committed, so that nobody knows whether it was.
 */
export function asRefusal(error: unknown, { isEnding = false }: { isEnding?: boolean } = {}): unknown {
  if (hasCode(error, goneMeanwhile)) {
    const message = 'Something this needs was deleted in the meantime. Look it up again, and repeat the call.';
    return new AppError('conflict', message, {}, { cause: error });
  }
  if (isAway(error)) {
    const message = isEnding
      ? 'The database cannot be reached since this was about to be stored. Look whether it was before you repeat it.'
      : 'The database cannot be reached. Try again in a moment.';
    return new AppError('unavailable', message, { retry_after: comeAgain.away }, { cause: error });
  }
  if (!hasCode(error, busy)) return error;
  const message = 'The database does not answer in time. Try again in a moment.';
  return new AppError('unavailable', message, { retry_after: comeAgain.busy }, { cause: error });
}

function isAway(error: unknown): boolean {
  try {
    // A name with two addresses fails with an error for each.
    if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isAway);
  } catch {
    return false; // work may throw anything, also what cannot be looked at
  }
  return hasCode(error, away) || messageMatches(error, awayInWords);
}

function hasCode(error: unknown, codes: RegExp): boolean {
  try {
    return error instanceof Error && 'code' in error && codes.test(String(error.code));
  } catch {
    return false; // work may throw anything, also what cannot be looked at
  }
}

function messageMatches(error: unknown, pattern: RegExp): boolean {
  try {
    return error instanceof Error && pattern.test(error.message);
  } catch {
    return false; // as above
  }
}
