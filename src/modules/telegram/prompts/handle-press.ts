// Handles a pressed button, exactly once: the decision, the answer to the phone and its completion are stored together.
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { PressedButton } from '../bot-api.ts';
import { parseButton } from './format-prompt.ts';
import { formatMessages, createTextPart } from '../turns/reply.ts';
import { findSpeaker } from '../turns/speaker.ts';
import { passUpdate, type BotRow } from '../store/bots.ts';
import { queueReplies } from '../store/messages.ts';
import { findPrompt, noteMessage, type ButtonName } from '../store/prompts.ts';
import { TakenOver } from '../taken-over.ts';
import type { TurnDeps } from '../turns/turn.ts';

type ButtonPress = { bot: BotRow; updateId: number; press: PressedButton };

/** A button's operation, whether it depends on the shown content, and the immediate answer. */
const buttons: Record<ButtonName, { operation: string; isOfContent: boolean; says: (value: unknown) => string }> = {
  approve: {
    operation: 'confirm_action',
    isOfContent: true,
    says: (isOurs) =>
      isOurs === true ? 'Approved. It is being sent.' : 'This changed nothing. The message shows the outcome.',
  },
  decline: { operation: 'discard_action', isOfContent: false, says: () => 'Declined. Nothing was sent.' },
};

/** The answer in Telegram's form. */
const longestAnswer = 200;

/**
 * Carries out a button in the name of the phone's person. The button's data is not trusted: it must match a message of
 * this draft in this chat.
 */
export async function handlePress(parts: TurnDeps, pressed: ButtonPress): Promise<void> {
  const { bot, press } = pressed;
  const look = <T>(work: (db: Db) => Promise<T>) => parts.transactions.run(bot.workspace_id, 'read', work);
  const { id: chatId, type } = press.message.chat;
  const isPrivate = type === 'private' && press.from.id === chatId;
  const speaker = isPrivate ? await look((db) => findSpeaker(db, bot, chatId)) : null;
  if (!speaker) return refuse(parts, pressed, 'This bot is private. You may not decide this.');
  const button = parseButton(press.data);
  const place = { connection_id: bot.connection_id, chat_id: chatId };
  const prompt = button && (await look((db) => findPrompt(db, { ...place, draft_id: button.draftId })));
  const isOurs = prompt?.link_id === speaker.link.id;
  if (!button || !isOurs || !prompt.buttons.includes(button.name)) {
    return refuse(parts, pressed, `This button no longer works. Decide in the inbox: ${parts.publicUrl}/inbox`);
  }
  await decide(parts, pressed, button, toDecider(speaker.caller));
}

/** A signed-in person who linked their phone may decide; an agent with a phone may not. */
function toDecider(caller: Caller): Caller {
  if (!caller.isHumanSurface) return caller;
  return { ...caller, scopes: new Set([...caller.scopes, 'actions:confirm']) };
}

type Decision = { name: ButtonName; draftId: string; seen: string };

async function decide(parts: TurnDeps, pressed: ButtonPress, decision: Decision, caller: Caller): Promise<void> {
  const { name, draftId, seen } = decision;
  const { operation: called, isOfContent, says } = buttons[name];
  const requestId = `telegram-${caller.id}-${pressed.updateId}`;
  const committed = Promise.withResolvers<void>();
  const input = { draft_id: draftId, ...(isOfContent && { content_hash: seen }) };
  const done = parts.calls.runAs(caller, called, input, {
    face: 'telegram',
    requestId,
    alongside: (db, value) => completePress(parts, pressed, db, { words: says(value), isAlert: false, draftId }),
    committed: committed.resolve,
  });
  try {
    // The provider's answer appears by editing the message; the next press does not wait for it.
    await Promise.race([done, committed.promise]);
  } catch (error) {
    if (error instanceof TakenOver) throw error;
    if (error instanceof AppError) return refuse(parts, pressed, error.message, draftId);
    parts.log.error({ err: error, request_id: requestId }, 'a pressed button could not be handled because of a bug');
    return refuse(
      parts,
      pressed,
      `Something went wrong on the server. Give its operator this id: ${requestId}`,
      draftId,
    );
  }
  parts.later(done);
}

type Answer = { words: string; isAlert: boolean; draftId?: string | undefined };

/** Explains in a window why nothing was done; a longer text is also sent as a message. */
async function refuse(parts: TurnDeps, pressed: ButtonPress, words: string, draftId?: string): Promise<void> {
  await parts.transactions.run(pressed.bot.workspace_id, 'write', (db) =>
    completePress(parts, pressed, db, { words, isAlert: true, draftId }),
  );
}

async function completePress(parts: TurnDeps, pressed: ButtonPress, db: Db, answer: Answer): Promise<void> {
  const { bot, press, updateId } = pressed;
  const at = parts.now();
  await passUpdate(db, bot, updateId, at);
  const { words, isAlert, draftId } = answer;
  // A repeated message is recognised by its button, and updated from then on.
  const place = { workspace_id: bot.workspace_id, connection_id: bot.connection_id, chat_id: press.message.chat.id };
  if (draftId !== undefined) await noteMessage(db, { ...place, draft_id: draftId }, press.message.message_id);
  const common = { ...place, reply_to: null, created_at: at };
  const isLong = words.length > longestAnswer;
  const shown = isLong ? `${words.slice(0, longestAnswer - 1)}…` : words;
  const more = isLong ? formatMessages([createTextPart(words)]) : [];
  await queueReplies(db, [
    { ...common, id: parts.newId(), html: shown, query_id: press.id, is_alert: isAlert },
    ...more.map((html) => ({ ...common, id: parts.newId(), html })),
  ]);
}
