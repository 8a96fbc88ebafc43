import { computeTimeFromNow } from '#platform/database';
import {
  isLeaseHeld,
  isFree,
  buildExtendedLease,
  noLease,
  released,
  buildTakenLease,
  type Lease,
} from '#platform/lease';
import { sql, type Kysely } from 'kysely';
import { TakenOver } from '../taken-over.ts';

export type BotRow = Lease & {
  connection_id: string;
  workspace_id: string;
  bot_id: string | null;
  status: 'listening' | 'failing' | 'ended';
  next_at: Date;
  next_update: number | null;
  heard_at: Date | null;
  turn: TurnStep[];
  commands_hash: string | null;
  failure: string | null;
  failures: number;
  created_at: Date;
};
/** The operations that a language model ran, and their results. */
export type TurnStep = { operation: string; input: string; result: string };

type Tables = { telegram_bots: BotRow };
type Db = Kysely<Tables>;

/** Long enough for late renewals, short enough that another process can continue soon after a crash. */
const leaseMs = 20_000;

type NewBot = Pick<BotRow, 'connection_id' | 'workspace_id'> & { bot_id: string; at: Date };

/** Starts listening to a bot. Fails with 23505 when another connection already listens to it. */
export async function beginBot(db: Db, { at, ...bot }: NewBot): Promise<void> {
  await db
    .insertInto('telegram_bots')
    .values({
      ...bot,
      status: 'listening',
      next_at: computeTimeFromNow(),
      next_update: null,
      heard_at: null,
      turn: sql`'[]'::jsonb`,
      commands_hash: null,
      failure: null,
      failures: 0,
      ...noLease,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .column('connection_id')
        .doUpdateSet({ bot_id: bot.bot_id, status: 'listening', next_at: computeTimeFromNow(), failures: 0 }),
    )
    .execute();
}

export async function findBots(db: Db, connectionIds: readonly string[]): Promise<BotRow[]> {
  if (!connectionIds.length) return [];
  return db.selectFrom('telegram_bots').selectAll().where('connection_id', 'in', connectionIds).execute();
}

/** Released bots, which may be used again. */
export async function listEndedBots(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('telegram_bots').select('connection_id').where('status', '=', 'ended').execute();
  return rows.map((row) => row.connection_id);
}

/** Due bots of all workspaces without a listener. For work of the server itself. */
export async function listFreeBots(db: Db, limit: number) {
  return db
    .selectFrom('telegram_bots')
    .select(['connection_id', 'workspace_id'])
    .where('status', '!=', 'ended')
    .where('next_at', '<=', computeTimeFromNow())
    .where(isFree)
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

/** Takes the lease to listen. Undefined: another process has it, or the bot was released. */
export async function takeBot(db: Db, connectionId: string): Promise<BotRow | undefined> {
  return db
    .updateTable('telegram_bots')
    .set(buildTakenLease(leaseMs))
    .where('connection_id', '=', connectionId)
    .where('status', '!=', 'ended')
    .where('next_at', '<=', computeTimeFromNow())
    .where(isFree)
    .returningAll()
    .executeTakeFirst();
}

/** Extends the lease to listen. False: another process has it by now. */
export async function keepBot(db: Db, bot: BotRow): Promise<boolean> {
  const still = await updateOwnBot(db, bot)
    .set(buildExtendedLease(leaseMs))
    .returning('connection_id')
    .executeTakeFirst();
  return still !== undefined;
}

/** Records that an update was handled, in the transaction of its effects. Throws when another process listens now. */
export async function passUpdate(db: Db, bot: BotRow, updateId: number, at: Date): Promise<void> {
  const passed = await updateOwnBot(db, bot)
    .set({ next_update: updateId + 1, heard_at: at, turn: sql`'[]'::jsonb` })
    .returning('connection_id')
    .executeTakeFirst();
  if (!passed) throw new TakenOver();
}

/** Records the operations of a language model, in the transaction in which they ran. */
export async function noteStep(db: Db, bot: BotRow, step: TurnStep): Promise<void> {
  const noted = await updateOwnBot(db, bot)
    .set({ turn: sql`turn || ${JSON.stringify([step])}::jsonb` })
    .returning('connection_id')
    .executeTakeFirst();
  if (!noted) throw new TakenOver();
}

export async function noteCommands(db: Db, bot: BotRow, hash: string): Promise<void> {
  await updateOwnBot(db, bot).set({ commands_hash: hash }).execute();
}

/** Records that listening works; false when that was known. */
export async function noteHealth(db: Db, bot: BotRow): Promise<boolean> {
  const noted = await updateOwnBot(db, bot)
    .set({ status: 'listening', failure: null, failures: 0 })
    .where('status', '=', 'failing')
    .returning('connection_id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Releases the lease. No process listens for `pauseMs`, by the clock of the database. */
export async function releaseBot(
  db: Db,
  bot: BotRow,
  end: { pauseMs: number; failure: string | null; isEnded?: boolean },
): Promise<void> {
  const { pauseMs, failure, isEnded = false } = end;
  await updateOwnBot(db, bot)
    .set({
      next_at: computeTimeFromNow(pauseMs),
      ...released,
      ...(failure !== null && { status: 'failing' as const, failure, failures: sql<number>`failures + 1` }),
      ...(isEnded && { status: 'ended' as const, bot_id: null }),
    })
    .execute();
}

function updateOwnBot(db: Db, bot: BotRow) {
  return db.updateTable('telegram_bots').where('connection_id', '=', bot.connection_id).where(isLeaseHeld(bot));
}
