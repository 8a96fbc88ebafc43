// Handles one update of a bot: its sender decides what happens.
import { answerMessage } from '../turns/answer-message.ts';
import type { Message, Update } from '../bot-api.ts';
import { parseCommand, formatHelp } from '../turns/commands.ts';
import { telegramChanged } from '../events.ts';
import { handlePress } from '../prompts/handle-press.ts';
import { createTextPart, type Reply } from '../turns/reply.ts';
import { findSpeaker, type Speaker } from '../turns/speaker.ts';
import { passUpdate, type BotRow } from '../store/bots.ts';
import { isCodeOut, noteHeard, noteStranger, useCode } from '../store/links.ts';
import { TakenOver } from '../taken-over.ts';
import { createTurn, completeUpdate, endTurn, type IncomingMessage, type TurnDeps } from '../turns/turn.ts';

/** Handles an update exactly once: its effect, its answer and its completion are stored together. */
export async function handleUpdate(parts: TurnDeps, bot: BotRow, update: Update): Promise<void> {
  const { message, press } = update;
  if (press) return handlePress(parts, { bot, updateId: update.id, press });
  const chat = message?.chat;
  if (!message || !chat || message.from?.is_bot !== false) return pass(parts, bot, update);
  const incoming = { bot, updateId: update.id, message };
  if (chat.type !== 'private') return refuse(parts, incoming, 'I answer only one person, in a private chat.');
  const speaker = await findSpeakerOfMessage(parts, incoming);
  const code = update.isEdited ? null : findLinkCode(message);
  if (code) return linkPhone(parts, incoming, code, speaker !== null);
  if (!speaker) return refuse(parts, incoming, notYours);
  await answer(parts, createTurn(parts, incoming, speaker.link, speaker.caller), update.isEdited);
}

const notYours = 'This bot is private. If it is yours, link this phone on the Telegram page of your console.';

/** The person of this chat; null when no permitted person has it. */
async function findSpeakerOfMessage(parts: TurnDeps, { bot, message }: IncomingMessage): Promise<Speaker | null> {
  return parts.transactions.run(bot.workspace_id, 'write', async (db) => {
    const speaker = await findSpeaker(db, bot, message.chat.id);
    if (speaker) await noteHeard(db, speaker.link.id, getSenderName(message), parts.now());
    return speaker;
  });
}

/** A bug must not block later messages, so it is logged and skipped. */
async function answer(parts: TurnDeps, turn: Parameters<typeof answerMessage>[1], isEdited: boolean): Promise<void> {
  try {
    await answerMessage(parts, turn, isEdited);
  } catch (err) {
    if (err instanceof TakenOver) throw err;
    const requestId = `telegram-${turn.link.id}-${turn.updateId}`;
    parts.log.error({ err, request_id: requestId }, 'a Telegram message could not be answered because of a bug');
    await turn.end([createTextPart(`Something went wrong on the server. Give its operator this id: ${requestId}`)]);
  }
}

function findLinkCode(message: Message): string | null {
  const command = parseCommand(message.text ?? '');
  return command?.name === 'start' && command.words ? command.words : null;
}

async function linkPhone(parts: TurnDeps, incoming: IncomingMessage, code: string, isLinked: boolean): Promise<void> {
  const { bot, message } = incoming;
  const at = parts.now();
  const hasLinked = await parts.transactions.run(bot.workspace_id, 'write', async (db) => {
    const phone = { connectionId: bot.connection_id, chatId: message.chat.id, name: getSenderName(message) };
    const link = await useCode(db, code, phone, at);
    if (!link) return false;
    const place = { id: parts.newId(), workspaceId: bot.workspace_id, at };
    await parts.emitEvent(
      db,
      telegramChanged({ connection_id: bot.connection_id }, { personId: link.person_id }),
      place,
    );
    await completeUpdate(parts, incoming, db, [
      createTextPart(`This chat is linked to your brain.\n\n${formatHelp()}`),
    ]);
    return true;
  });
  if (hasLinked) return;
  const over = 'This code was used or has expired.';
  if (isLinked)
    return endTurn(parts, incoming, [
      createTextPart(`${over} This chat is linked already. /help shows what I can do.`),
    ]);
  const isOurs = await parts.transactions.run(bot.workspace_id, 'read', (db) => isCodeOut(db, bot.connection_id, code));
  if (isOurs)
    return endTurn(parts, incoming, [
      createTextPart('This code has expired. Make a new one on the Telegram page of the console.'),
    ]);
  await refuse(parts, incoming, `${over} ${notYours}`);
}

/** Tells each stranger once that the bot is private, and sends them nothing else. */
async function refuse(parts: TurnDeps, incoming: IncomingMessage, words: string): Promise<void> {
  const { bot, message } = incoming;
  await parts.transactions.run(bot.workspace_id, 'write', async (db) => {
    const { connection_id, workspace_id } = bot;
    const isNew = await noteStranger(db, { connection_id, workspace_id, chatId: message.chat.id, at: parts.now() });
    const reply: Reply = isNew ? [createTextPart(words)] : [];
    await completeUpdate(parts, incoming, db, reply);
  });
}

async function pass({ transactions, now }: TurnDeps, bot: BotRow, { id }: Update): Promise<void> {
  await transactions.run(bot.workspace_id, 'write', (db) => passUpdate(db, bot, id, now()));
}

function getSenderName({ from, chat }: Message): string {
  return (from?.username ? `@${from.username}` : from?.first_name || String(chat.id)).slice(0, 100);
}
