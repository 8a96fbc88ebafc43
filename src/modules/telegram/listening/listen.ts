// Listens to one bot while this process has the lease: fetches updates, handles them, sends replies.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#kernel/errors';
import { findConnection } from '#modules/connections';
import { readPauseMs, ProviderError } from '#providers/http';
import { keepLease } from '#platform/lease';
import { createBotApi, type BotApi } from '../bot-api.ts';
import { commandMenu } from '../turns/commands.ts';
import { telegramChanged } from '../events.ts';
import { handleUpdate } from './handle-update.ts';
import { createSender } from './send-replies.ts';
import { keepBot, noteCommands, noteHealth, releaseBot, type BotRow } from '../store/bots.ts';
import { TakenOver } from '../taken-over.ts';
import type { TurnDeps } from '../turns/turn.ts';

const waitSeconds = 25;
const renewalMs = 5_000;
const firstPauseMs = 2_000;
const longestPauseMs = 5 * 60_000;
/** After a week of silence Telegram restarts the numbering of updates, so an old number could hide them. */
const updateIdsValidMs = 6 * 24 * 60 * 60 * 1000;

/** Signals a listener that there is something to send. */
export type WakeUps = Map<string, () => void>;

/**
 * Listens until the signal, an error, or until another process takes over. Throws nothing: errors are stored in the
 * bot's row.
 */
export async function listen(parts: TurnDeps, bot: BotRow, stop: AbortSignal, nudges: WakeUps): Promise<void> {
  const onError = (err: unknown) =>
    parts.log.warn({ err, connection_id: bot.connection_id }, 'the lease of a Telegram bot could not be renewed');
  await using lease = keepLease(createBotKeeper(parts, bot), { everyMs: renewalMs, onError });
  const signal = AbortSignal.any([stop, lease.lost]);
  const mute = new AbortController(); // messages between two updates could not be sent
  const api = createBotApi(parts.client, bot);
  const speak = createSender({ parts, bot, api });
  try {
    await lease.keepNow();
    nudges.set(bot.connection_id, () => void speak().catch((error: unknown) => mute.abort(error)));
    await receiveUpdates(parts, bot, { api, speak, signal: AbortSignal.any([signal, mute.signal]) });
    mute.signal.throwIfAborted();
    await release(parts, bot, { pauseMs: 0, failure: null });
  } catch (error) {
    if (signal.aborted || error instanceof TakenOver) await release(parts, bot, { pauseMs: 0, failure: null });
    else await giveUpForNow(parts, bot, mute.signal.aborted ? mute.signal.reason : error);
  } finally {
    nudges.delete(bot.connection_id);
  }
}

/** Extends the lease, unless the bot was disconnected, or its token changed. */
function createBotKeeper({ transactions }: TurnDeps, bot: BotRow): () => Promise<boolean> {
  let since: Date | null = null;
  return () =>
    transactions.run(bot.workspace_id, 'write', async (db) => {
      const connection = await findConnection(db, bot.connection_id);
      if (connection?.status !== 'active') return false;
      since ??= connection.updated_at;
      return since.getTime() === connection.updated_at.getTime() && (await keepBot(db, bot));
    });
}

type Voice = { api: BotApi; speak: () => Promise<void>; signal: AbortSignal };

async function receiveUpdates(parts: TurnDeps, bot: BotRow, { api, speak, signal }: Voice): Promise<void> {
  let { next_update: offset, turn } = bot;
  if (parts.now().getTime() - (bot.heard_at?.getTime() ?? 0) > updateIdsValidMs) offset = null;
  await showCommands(parts, bot, api);
  await speak();
  let waits = 0; // the first request is short, so that the end of an error is noticed soon
  while (!signal.aborted) {
    const updates = await api.updates({ offset, waitSeconds: waits, signal });
    if (waits === 0) await noteRecovery(parts, bot);
    waits = waitSeconds;
    for (const update of updates) {
      if (signal.aborted) return;
      await handleUpdate(parts, { ...bot, turn }, update);
      [offset, turn] = [update.id + 1, []];
      await speak();
    }
  }
}

/** Telegram shows the commands while a person types. They are sent once, and again after a change. */
async function showCommands({ transactions }: TurnDeps, bot: BotRow, api: BotApi): Promise<void> {
  const menu = commandMenu.map(({ command, description }) => ({ command, description }));
  const hash = createHash('sha256').update(JSON.stringify(menu)).digest('hex');
  if (bot.commands_hash === hash) return;
  await api.setCommands(menu);
  await transactions.run(bot.workspace_id, 'write', (db) => noteCommands(db, bot, hash));
}

async function noteRecovery(parts: TurnDeps, bot: BotRow): Promise<void> {
  await parts.transactions.run(bot.workspace_id, 'write', async (db) => {
    if (await noteHealth(db, bot)) await emitBotChanged(parts, bot, db);
  });
}

async function giveUpForNow(parts: TurnDeps, bot: BotRow, error: unknown): Promise<void> {
  parts.log.warn(
    { err: error, connection_id: bot.connection_id },
    'a Telegram bot cannot be listened to at the moment',
  );
  const pause = Math.min(longestPauseMs, Math.max(firstPauseMs * 2 ** Math.min(bot.failures, 10), readPauseMs(error)));
  await release(parts, bot, { pauseMs: pause, failure: explainFailure(error) });
}

function explainFailure(error: unknown): string {
  if (error instanceof ProviderError && error.status === 409) {
    return 'Another program receives the messages of this bot, or a webhook is set for it. Stop that, or create a separate bot.';
  }
  return error instanceof AppError ? error.message.slice(0, 500) : 'Something went wrong on the server.';
}

/** Releases the bot. A bot whose connection has ended is removed, so that another connection may use it. */
async function release(parts: TurnDeps, bot: BotRow, end: { pauseMs: number; failure: string | null }): Promise<void> {
  const work = () =>
    parts.transactions.run(bot.workspace_id, 'write', async (db) => {
      const connection = await findConnection(db, bot.connection_id);
      const isEnded = connection?.status !== 'active';
      await releaseBot(db, bot, { ...end, isEnded });
      if (isEnded || end.failure !== null) await emitBotChanged(parts, bot, db);
    });
  // A database error is retried; then the lease expires.
  await work()
    .catch(() => sleep(1_000).then(work))
    .catch((err: unknown) => {
      parts.log.warn({ err, connection_id: bot.connection_id }, 'the lease of a Telegram bot could not be released');
    });
}

/** Consoles of people who may see the bot reload it. */
async function emitBotChanged(
  { emitEvent, newId, now }: TurnDeps,
  bot: BotRow,
  db: Parameters<typeof findConnection>[0],
): Promise<void> {
  const connection = await findConnection(db, bot.connection_id);
  const scope = connection && !connection.is_shared ? { personId: connection.person_id } : {};
  const place = { id: newId(), workspaceId: bot.workspace_id, at: now() };
  await emitEvent(db, telegramChanged({ connection_id: bot.connection_id }, scope), place);
}
