import type { Context } from '#kernel/context';
import type { Db, Transactions } from '#kernel/database';
import { publicError } from '#kernel/errors';
import type { Jobs } from '#platform/jobs';
import type { Log } from '#platform/log';
import type { ActionRegistry } from './registry.ts';
import type { DraftRow } from './store/drafts.ts';

/**
 * How long things may take. Preparing and sending have `timeoutMs` each, all waiting included, and preparing has more for files. A provider saying "not
 * there" is believed `settleAfterMs` after that.
 */
export type SendTimes = { timeoutMs: number; settleAfterMs: number; leaseEnd(now: Date): Date };

/** The job that settles what its decider did not. */
export const settleJob = 'settle-draft';

/**
 * Puts a draft that waits before its person on their phone, as soon as the transaction has committed, and once however often
 * it is asked. False: there is no phone that could be reached.
 */
export type PromptPhone = (ctx: Context, draft: DraftRow) => Promise<boolean>;

/** What of a draft says through which account it goes. */
export type Connected = Pick<DraftRow, 'id' | 'workspace_id' | 'connection_id' | 'person_id' | 'source'>;
/**
 * Has who may decide about a draft told by mail, as each of them chose, some time after the transaction has committed and not
 * before `from`. Each of them is told once that it waits, and once that nobody knows what became of it.
 */
export type TellDeciders = (
  db: Db,
  draft: DraftRow,
  telling: { about: 'waiting' | 'ambiguous'; at: Date; from: Date },
) => Promise<void>;

/** What drafting, sending and reconciling work with. */
export type Sending = {
  transactions: Transactions;
  registry: ActionRegistry;
  jobs: Jobs;
  /** How an action reaches the provider, in the name of the draft's account; nothing leaves after the deadline. */
  connect(draft: Connected, deadline: AbortSignal): unknown;
  promptPhone: PromptPhone;
  tellDeciders: TellDeciders;
  times: SendTimes;
  log: Log;
  now: () => Date;
  newId: () => string;
};

/** Times from one time-out: a lease outlives preparing and sending together. */
export function sendTimes(timeoutMs: number, settleAfterMs: number): SendTimes {
  return { timeoutMs, settleAfterMs, leaseEnd: (now) => new Date(now.getTime() + 2 * timeoutMs + 5_000) };
}

/** The provider, reached for one step of a draft; the step has the whole time-out for itself, and `moreMs`. */
export function reach(sending: Sending, draft: DraftRow, moreMs = 0): unknown {
  return sending.connect(draft, AbortSignal.timeout(sending.times.timeoutMs + moreMs));
}

/** So much of files is given a time-out more to be brought in: with 30 seconds a line of 1.4 Mbit/s will do. */
const bytesPerTimeout = 5_000_000;

/** How much longer a draft takes to be prepared than one that has no files. */
export function bringsForMs({ times, registry }: Sending, { source, action, payload }: DraftRow): number {
  const bytes = registry.get(source, action).fileBytes?.(payload) ?? 0;
  return Math.ceil((times.timeoutMs * bytes) / bytesPerTimeout);
}

/** What is kept of a fault: our own errors' words; of a bug only that there was one, and the log has the rest. */
export function told(
  { log }: Sending,
  draft: Pick<DraftRow, 'id'>,
  error: unknown,
): Record<string, unknown> & { message: string } {
  const known = publicError(error, draft.id);
  if (known.code === 'internal') log.error({ err: error, draft_id: draft.id }, 'sending failed by a bug');
  return { message: known.message, code: known.code, ...known.details };
}

/** After this a request that was sent can no longer arrive. */
export function lastArrival({ times }: Sending, { send_started_at: startedAt }: DraftRow): Date {
  return new Date((startedAt?.getTime() ?? 0) + times.timeoutMs + times.settleAfterMs);
}
