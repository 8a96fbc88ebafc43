import type { Transactions } from '#kernel/database';
import { toPublicError } from '#kernel/errors';
import type { EmitEvent } from '#kernel/event';
import { memoizePerServer, type Prompt, type ReachProvider } from '#kernel/module';
import { getActionRegistry, type ActionRegistry } from '#modules/policy';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import type { Jobs } from '#platform/jobs';
import type { Log } from '#platform/log';
import type { DraftRow } from './store/drafts.ts';

/**
 * Time limits. Preparing and sending have `timeoutMs` each, including all waiting; preparing has more time for files. A
 * provider's "not there" counts only `settleAfterMs` after that limit. A draft is locked for `leaseMs`.
 */
export type SendTimes = { timeoutMs: number; settleAfterMs: number; leaseMs: number };

/** The job that sends a draft when the process that approved it did not. */
export const finishSendingJob = 'settle-draft';

/** The dependencies of drafting, deciding, sending and reconciling. */
export type GateDeps = {
  transactions: Transactions;
  registry: ActionRegistry;
  jobs: Jobs;
  connect: ReachProvider;
  /** The places besides the inbox where a draft is shown to its person, by the names in `notify`. */
  prompts: ReadonlyMap<string, Prompt>;
  emitEvent: EmitEvent;
  times: SendTimes;
  log: Log;
  /** The public address of this server. */
  publicUrl: string;
  now: () => Date;
  newId: () => string;
};

/** Derives all times from one timeout: a lease outlasts preparing and sending together. */
function sendTimes(timeoutMs: number, settleAfterMs: number): SendTimes {
  return { timeoutMs, settleAfterMs, leaseMs: 2 * timeoutMs + 5_000 };
}

/** The provider, for one step of a draft; the step has the whole timeout for itself, plus `moreMs`. */
export function reach(deps: GateDeps, draft: DraftRow, moreMs = 0): unknown {
  return deps.connect(draft, AbortSignal.timeout(deps.times.timeoutMs + moreMs));
}

/** The file size for which one more timeout is added: with 30 seconds, a line of 1.4 Mbit/s is enough. */
const bytesPerTimeout = 5_000_000;

/** The additional time to prepare a draft with files. */
export function computeFileTimeMs({ times, registry }: GateDeps, { source, action, payload }: DraftRow): number {
  const bytes = registry.get(source, action, payload).fileBytes?.(payload) ?? 0;
  return Math.ceil((times.timeoutMs * bytes) / bytesPerTimeout);
}

/** An error as it is stored: the message of our own errors; for a bug only the fact, and the log has the details. */
export function describeError(
  { log }: GateDeps,
  draft: Pick<DraftRow, 'id'>,
  error: unknown,
): Record<string, unknown> & { message: string } {
  const known = toPublicError(error, draft.id);
  if (known.code === 'internal') log.error({ err: error, draft_id: draft.id }, 'sending failed because of a bug');
  return { message: known.message, code: known.code, ...known.details };
}

/** After this time, by the clock of the database, a sent request can no longer arrive. */
export function computeLastArrival({ times }: GateDeps, { send_started_at: startedAt }: DraftRow): Date {
  return new Date((startedAt?.getTime() ?? 0) + times.timeoutMs + times.settleAfterMs);
}

/** The server's one gate: the actions of all modules, and how each reaches its provider. */
export const gateDepsOf = memoizePerServer((ground: Ground): GateDeps => {
  const { modules, transactions, jobs, log, emitEvent, config } = ground;
  const ways = new Map<string, ReachProvider>();
  for (const { actions } of modules) {
    const way = actions?.reach(ground);
    for (const { source } of actions?.all ?? []) if (way) ways.set(source, way);
  }
  const connect: ReachProvider = (draft, deadline) => {
    const way = ways.get(draft.source);
    if (!way) throw new Error(`no module gives access to ${draft.source}`);
    return way(draft, deadline);
  };
  const prompts = new Map(modules.flatMap((each) => (each.prompt ? [[each.name, each.prompt(ground)]] : [])));
  const times = sendTimes(config.sendTimeoutMs, config.settleAfterMs);
  const { publicUrl } = config;
  return {
    transactions,
    registry: getActionRegistry(ground),
    jobs,
    connect,
    prompts,
    emitEvent,
    times,
    log,
    publicUrl,
    now,
    newId,
  };
});
