// Listens to one bot, as long as this process has the right to: takes what is new, deals with it, says what there is to say.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#kernel/errors';
import { storeEvent } from '#modules/audit';
import { findConnection } from '#modules/connections';
import { askedPauseMs, ProviderFault } from '#modules/integrations';
import { createBotApi, type BotApi } from './bot-api.ts';
import { commandMenu } from './commands.ts';
import { telegramChanged } from './events.ts';
import { handleUpdate } from './handle-update.ts';
import { keepBot, noteCommands, noteHealth, releaseBot, type BotRow } from './store/bots.ts';
import { dropReply, noteAttempt, waitingReplies } from './store/messages.ts';
import { TakenOver } from './taken-over.ts';
import type { Listening } from './turn.ts';

const waitSeconds = 25;
const renewalMs = 5_000;
const firstPauseMs = 2_000;
const longestPauseMs = 5 * 60_000;
/** What could not be said so often is not said any more: what is said after it waits. */
const mostAttempts = 8;
/** After a week of silence Telegram numbers updates anew, so that a number kept longer could hide them. */
const numbersHoldMs = 6 * 24 * 60 * 60 * 1000;

/** Listens until the signal, a failure, or another process ends it. Nothing is thrown: failures stand in the bot's row. */
export async function listen(parts: Listening, bot: BotRow, stop: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  const link = { since: null as Date | null };
  const renewal = setInterval(() => void renew(parts, bot, lost, link), renewalMs);
  try {
    await renew(parts, bot, lost, link);
    await attend(parts, bot, signal);
    await release(parts, bot, { nextAt: parts.now(), failure: null });
  } catch (error) {
    if (signal.aborted || error instanceof TakenOver) await release(parts, bot, { nextAt: parts.now(), failure: null });
    else await giveUpForNow(parts, bot, error);
  } finally {
    clearInterval(renewal);
  }
}

/** Who has lost the right, or whose bot was disconnected or has another token since, stops waiting for it. */
async function renew(
  { transactions, log }: Listening,
  bot: BotRow,
  lost: AbortController,
  link: { since: Date | null },
): Promise<void> {
  try {
    const goesOn = await transactions.run(bot.workspace_id, 'write', async (db) => {
      const connection = await findConnection(db, bot.connection_id);
      if (connection?.status !== 'active') return false;
      link.since ??= connection.updated_at;
      return link.since.getTime() === connection.updated_at.getTime() && (await keepBot(db, bot));
    });
    if (!goesOn) lost.abort();
  } catch (err) {
    log.warn({ err, connection_id: bot.connection_id }, 'the lease of a Telegram bot could not be renewed');
  }
}

async function attend(parts: Listening, bot: BotRow, signal: AbortSignal): Promise<void> {
  const api = createBotApi(parts.client, bot);
  let { next_update: offset, turn } = bot;
  if (parts.now().getTime() - (bot.heard_at?.getTime() ?? 0) > numbersHoldMs) offset = null;
  await showCommands(parts, bot, api);
  await sayAll(parts, bot, api);
  let waits = 0; // the first look is short, so that a failure that is over is soon known to be
  while (!signal.aborted) {
    const updates = await api.updates({ offset, waitSeconds: waits, signal });
    if (waits === 0) await recovered(parts, bot);
    waits = waitSeconds;
    for (const update of updates) {
      if (signal.aborted) return;
      await handleUpdate(parts, { ...bot, turn }, update);
      [offset, turn] = [update.id + 1, []];
      await sayAll(parts, bot, api);
    }
  }
}

/** Telegram shows the commands while somebody types. They are told once, and again when they are others. */
async function showCommands({ transactions }: Listening, bot: BotRow, api: BotApi): Promise<void> {
  const menu = commandMenu.map(({ command, description }) => ({ command, description }));
  const hash = createHash('sha256').update(JSON.stringify(menu)).digest('hex');
  if (bot.commands_hash === hash) return;
  await api.setCommands(menu);
  await transactions.run(bot.workspace_id, 'write', (db) => noteCommands(db, bot, hash));
}

/**
 * Says what is still to be said, in order. A row goes after Telegram has taken it, so that a crash between the two says it
 * twice, and never not at all.
 */
async function sayAll(parts: Listening, bot: BotRow, api: BotApi): Promise<void> {
  const { transactions, log } = parts;
  const run = transactions.run.bind(null, bot.workspace_id, 'write');
  for (const reply of await transactions.run(bot.workspace_id, 'read', (db) => waitingReplies(db, bot.connection_id))) {
    try {
      await api.send({ chatId: reply.chat_id, html: reply.html, replyTo: reply.reply_to });
    } catch (error) {
      if (!isFinal(error) && reply.attempts < mostAttempts) {
        await run((db) => noteAttempt(db, reply.id));
        throw error;
      }
      log.warn({ err: error, connection_id: bot.connection_id }, 'an answer could not be said over Telegram');
    }
    await run((db) => dropReply(db, reply.id));
  }
}

/** Telegram will never take it: the person has blocked the bot, or left the chat. */
function isFinal(error: unknown): boolean {
  return error instanceof ProviderFault && (error.status === 400 || error.status === 403);
}

async function recovered(parts: Listening, bot: BotRow): Promise<void> {
  await parts.transactions.run(bot.workspace_id, 'write', async (db) => {
    if (await noteHealth(db, bot)) await tell(parts, bot, db);
  });
}

async function giveUpForNow(parts: Listening, bot: BotRow, error: unknown): Promise<void> {
  parts.log.warn({ err: error, connection_id: bot.connection_id }, 'a Telegram bot cannot be listened to for now');
  const pause = Math.min(longestPauseMs, Math.max(firstPauseMs * 2 ** Math.min(bot.failures, 10), askedPauseMs(error)));
  await release(parts, bot, { nextAt: new Date(parts.now().getTime() + pause), failure: reasonOf(error) });
}

function reasonOf(error: unknown): string {
  if (error instanceof ProviderFault && error.status === 409) {
    return 'Another program receives the messages of this bot, or a webhook is set for it. End that, or make a bot for this brain alone.';
  }
  return error instanceof AppError ? error.message.slice(0, 500) : 'Something went wrong on the server.';
}

/** Gives the bot back. One whose connection has ended is let go of, so that somebody else may listen to it. */
async function release(parts: Listening, bot: BotRow, end: { nextAt: Date; failure: string | null }): Promise<void> {
  const work = () =>
    parts.transactions.run(bot.workspace_id, 'write', async (db) => {
      const connection = await findConnection(db, bot.connection_id);
      const isEnded = connection?.status !== 'active';
      await releaseBot(db, bot, { ...end, isEnded });
      if (isEnded || end.failure !== null) await tell(parts, bot, db);
    });
  // A database in trouble is tried again; then the lease ends by itself.
  await work()
    .catch(() => sleep(1_000).then(work))
    .catch((err: unknown) => {
      parts.log.warn({ err, connection_id: bot.connection_id }, 'a Telegram bot could not be given back');
    });
}

/** Consoles of those who may know of it look again. */
async function tell({ newId, now }: Listening, bot: BotRow, db: Parameters<typeof findConnection>[0]): Promise<void> {
  const connection = await findConnection(db, bot.connection_id);
  const scope = connection && !connection.is_shared ? { personId: connection.person_id } : {};
  const place = { id: newId(), workspaceId: bot.workspace_id, at: now() };
  await storeEvent(db, telegramChanged({ connection_id: bot.connection_id }, scope), place);
}
