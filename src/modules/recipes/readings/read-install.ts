// One reading of an install, by hand or because it is due. Pages are stored in batches under its lease.
import type { Context } from '#kernel/context';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { NewPage } from '#kernel/page';
import { storePages } from '#modules/pages';
import { findNextCronTime } from '#platform/dates';
import { listReadings, type Egress } from '#platform/egress';
import { keepLease } from '#platform/lease';
import type { Log } from '#platform/log';
import type { Vault } from '#platform/vault';
import { readPauseMs } from '#providers/http';
import { isReading } from '../manifest/recipe.ts';
import type { ReadingTemplate } from '../manifest/reading-template.ts';
import { keepReading, noteRead, noteReadingFailure, type ReadingCounts, type ReadingRow } from '../store/readings.ts';
import { openLentSecrets } from './lent-secrets.ts';
import { MayNotEdit } from './may-not-edit.ts';
import { describeReadingError, readEndpoints, type ReadingOutcome } from './read-endpoints.ts';

/** Renewed while it is read, so that another process soon goes on after a crash. */
export const readingLeaseMs = 30_000;
const renewalMs = 10_000;
const longestReadingMs = 5 * 60_000;
const firstWaitMs = 60_000;
const longestWaitMs = 6 * 60 * 60_000;
/** A longer pause is a mistake of the service, after which it would never be asked again. */
const longestAskedMs = 24 * 60 * 60_000;

export type InstallReadingDeps = {
  egress: Egress;
  vault: Vault;
  transactions: Transactions;
  log: Pick<Log, 'warn'>;
  now: () => Date;
};

/** In whose name an install is read, and by whose rules. */
export type ReadingActor = {
  /** Asks the rules whether the web may be read at a host. Throws when it may not. */
  judge(db: Db, host: string, targets: readonly string[]): Promise<unknown>;
  /** Runs in a transaction with the right to edit the brain; throws without it. */
  transact<T>(work: (ctx: Context) => Promise<T>): Promise<T>;
};

/** The template of an install that the server itself reads. Throws `conflict` for every other install. */
export function getReadingTemplate({ base, name }: Pick<ReadingRow, 'base' | 'name'>): ReadingTemplate {
  const { recipe } = base;
  if (recipe.kind === 'integration' && isReading(recipe.template)) return recipe.template;
  throw new AppError('conflict', `${name} has no endpoints to read: it is not a declarative integration.`);
}

/** Reads an install whose lease this process has. Notes the outcome on it, and answers it. */
export async function readInstall(
  deps: InstallReadingDeps,
  install: ReadingRow,
  actor: ReadingActor,
): Promise<ReadingOutcome> {
  const { transactions, log } = deps;
  const keep = () => transactions.run(install.workspace_id, 'write', (db) => keepReading(db, install, readingLeaseMs));
  await using lease = keepLease(keep, {
    everyMs: renewalMs,
    onError: (err) => log.warn({ err, install_id: install.id }, 'the lease of a reading could not be renewed'),
  });
  const outcome = await readAll(deps, install, actor, lease.lost).catch((failure: unknown) => ({
    counts: nothingRead,
    failure,
    errors: [describeFailure(failure)],
  }));
  if (!(outcome.failure instanceof ReadingOvertaken)) await noteOutcome(deps, install, outcome);
  return outcome;
}

const nothingRead: ReadingCounts = { requests: 0, retries: 0, items: 0, pages: 0, bytes: 0 };

async function readAll(
  { egress, vault, transactions, now }: InstallReadingDeps,
  install: ReadingRow,
  { judge, transact }: ReadingActor,
  lost: AbortSignal,
): Promise<ReadingOutcome> {
  const template = getReadingTemplate(install);
  const { values } = install.base;
  const secrets = await transact((ctx) => openLentSecrets(vault, ctx, install, template));
  const source = `recipe:${install.slug}`;
  return readEndpoints(
    {
      egress,
      deadline: AbortSignal.any([lost, AbortSignal.timeout(longestReadingMs)]),
      judge: async (url) => {
        const targets = listReadings(url).map((reading) => `GET ${reading}`);
        await transactions.run(install.workspace_id, 'read', (db) => judge(db, url.hostname, targets));
      },
      store: (pages) => transact((ctx) => storeBatch(ctx, install, pages)),
    },
    { template, values, secrets, source, at: now(), isShipped: install.recipe_id === null },
  );
}

/** Stores pages as long as this process has the lease. Returns how many are new. */
async function storeBatch(ctx: Context, install: ReadingRow, pages: readonly NewPage[]): Promise<number> {
  if (!(await keepReading(ctx.db, install, readingLeaseMs))) throw new ReadingOvertaken();
  const stored = await storePages(ctx, install.brain_id, pages);
  return stored.filter(({ change }) => change === 'created').length;
}

/** Another process reads this install now, or it was paused, changed or uninstalled. */
class ReadingOvertaken extends AppError {
  constructor() {
    super('conflict', 'The install was changed meanwhile, or another process reads it. Nothing more was written.');
  }
}

async function noteOutcome(
  { transactions, log, now }: InstallReadingDeps,
  install: ReadingRow,
  { counts, failure, errors }: ReadingOutcome,
): Promise<void> {
  const at = now();
  const said = errors.length ? errors.join('\n').slice(0, 2_000) : null;
  await transactions.run(install.workspace_id, 'write', async (db) => {
    if (failure === undefined)
      return noteRead(db, install, { counts, at, errors: said, nextAt: findNextReading(install, at) });
    log.warn({ err: failure, install_id: install.id }, 'an install could not be read');
    const nextAt = failure instanceof MayNotEdit ? null : findNextTry(install, failure, at);
    await noteReadingFailure(db, install, { counts, at, nextAt, failure: said ?? describeFailure(failure) });
  });
}

function describeFailure(failure: unknown): string {
  return failure instanceof MayNotEdit ? failure.message : describeReadingError(failure);
}

/** The time of the schedule after a moment. */
function findNextReading(install: Pick<ReadingRow, 'base' | 'name'>, after: Date): Date | null {
  const { cron, tz } = getReadingTemplate(install).trigger;
  return findNextCronTime({ cron, tz }, after);
}

/** After a failure: soon, then more and more rarely, by the schedule at the latest, and never before the service allows it. */
function findNextTry(install: ReadingRow, error: unknown, at: Date): Date | null {
  const scheduled = findNextReading(install, at);
  if (!scheduled) return null;
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(install.failures, 12));
  const asked = Math.min(longestAskedMs, readPauseMs(error));
  const soon = Math.min(scheduled.getTime(), at.getTime() + wait);
  return new Date(Math.max(soon, at.getTime() + asked));
}
