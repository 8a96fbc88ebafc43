// Sends the messages of a bot: replies in order, pending drafts, and their outcomes.
import type { Db } from '#kernel/database';
import {
  dropNotifyTarget,
  expireOverdue,
  findDraft,
  findOwnerName,
  canViewerSee,
  loadPersonViewer,
  type DraftRow,
} from '#modules/actions';
import { ProviderError } from '#providers/http';
import type { BotApi, Button } from '../bot-api.ts';
import { buildButtons, isFittingPhone, notYours, formatPromptHtml } from '../prompts/format-prompt.ts';
import type { BotRow } from '../store/bots.ts';
import { dropReply, noteAttempt, listWaitingReplies, type WaitingReply } from '../store/messages.ts';
import {
  deletePrompt,
  listDuePrompts,
  findPrompt,
  isOnAnotherPhone,
  noteMessage,
  notePromptAttempt,
  noteShown,
  type PromptPlace,
  type PromptRow,
} from '../store/prompts.ts';
import type { TurnDeps } from '../turns/turn.ts';

/** A message that failed this often is dropped, because later messages wait for it. */
const mostAttempts = 8;

type SendDeps = { parts: TurnDeps; bot: BotRow; api: BotApi };

function write<T>({ parts, bot }: SendDeps, work: (db: Db) => Promise<T>): Promise<T> {
  return parts.transactions.run(bot.workspace_id, 'write', work);
}

/**
 * Creates the function that sends all waiting messages. When it is called while it runs, it looks again before it ends,
 * so that no message is sent concurrently twice. After a failure it fails until listening restarts, because Telegram
 * may have asked for a pause. A row is deleted after Telegram has accepted it: a crash in between sends the message
 * twice, but never loses it.
 */
export function createSender(speaking: SendDeps): () => Promise<void> {
  let speech: Promise<void> | null = null;
  let isAskedAgain = false;

  async function speak(): Promise<void> {
    do {
      isAskedAgain = false;
      await sendReplies(speaking);
      await showDecisions(speaking);
    } while (isAskedAgain);
  }

  return () => {
    isAskedAgain = true;
    speech ??= speak().then(() => void (speech = null));
    return speech;
  };
}

async function sendReplies(speaking: SendDeps): Promise<void> {
  const { parts, bot } = speaking;
  const { transactions, log } = parts;
  for (const reply of await transactions.run(bot.workspace_id, 'read', (db) =>
    listWaitingReplies(db, bot.connection_id),
  )) {
    try {
      await sendReply(speaking, reply);
    } catch (error) {
      if (!isFinal(error) && reply.attempts < mostAttempts) {
        await write(speaking, (db) => noteAttempt(db, reply.id));
        throw error;
      }
      log.warn({ err: error, connection_id: bot.connection_id }, 'an answer could not be sent over Telegram');
      await giveUp(speaking, reply);
    }
  }
}

async function sendReply(speaking: SendDeps, reply: WaitingReply): Promise<void> {
  const { api } = speaking;
  const { id, chat_id: chatId, html, reply_to: replyTo, query_id: queryId, draft_id: draftId } = reply;
  if (queryId !== null) await api.answerPress({ queryId, words: html, isAlert: reply.is_alert });
  else if (draftId === null) await api.send({ chatId, html, replyTo });
  else return sendPrompt(speaking, reply, buildPromptPlace(speaking, reply, draftId));
  await write(speaking, (db) => dropReply(db, id));
}

function buildPromptPlace({ bot }: SendDeps, { chat_id }: WaitingReply, draftId: string): PromptPlace {
  return { draft_id: draftId, connection_id: bot.connection_id, chat_id };
}

/** A message about a draft that was already decided, or that the reader may no longer see, is not sent. */
async function sendPrompt(speaking: SendDeps, reply: WaitingReply, place: PromptPlace): Promise<void> {
  const { parts, api } = speaking;
  const { draft_id: draftId, chat_id: chatId } = place;
  const now = parts.now();
  const { shown, draft } = await write(speaking, async (db) => {
    const prompt = await findPrompt(db, place);
    const draft = await findDraft(db, draftId);
    return { prompt, draft, shown: prompt && (await buildShownPrompt(parts, db, prompt, draft)) };
  });
  const isOpen = shown?.isTheirs && draft.status === 'pending' && draft.expires_at > now;
  if (!shown || !isOpen) return write(speaking, (db) => dropPrompt(db, reply.id, place));
  const messageId = await api.send({ chatId, html: shown.html, replyTo: null, buttons: shown.buttons });
  await write(speaking, async (db) => {
    await dropReply(db, reply.id);
    await noteMessage(db, place, messageId);
  });
}

/** Drops messages that Telegram will never accept. */
async function giveUp(speaking: SendDeps, reply: WaitingReply): Promise<void> {
  const { id, draft_id: draftId } = reply;
  await write(speaking, async (db) => {
    if (draftId === null) return dropReply(db, id);
    const place = buildPromptPlace(speaking, reply, draftId);
    await dropPrompt(db, id, place);
    await deletePrompt(db, place);
  });
}

/** Records for a draft without sent messages that its prompt reached no phone. */
async function dropPrompt(db: Db, replyId: string, place: PromptPlace): Promise<void> {
  if (!(await isOnAnotherPhone(db, place))) await dropNotifyTarget(db, place.draft_id, 'telegram');
  await dropReply(db, replyId);
}

/**
 * Updates messages to the present state of their drafts: an edited draft keeps its buttons; a decided draft loses them
 * and shows its outcome.
 */
async function showDecisions(speaking: SendDeps): Promise<void> {
  const { parts, bot } = speaking;
  const { transactions, now } = parts;
  const due = await transactions.run(bot.workspace_id, 'read', (db) => listDuePrompts(db, bot.connection_id, now()));
  for (const found of due) {
    // The prompt is read before the draft, so that a change in between is reported again.
    const current = await write(speaking, async (db) => {
      if (found.changes === 0) await expireOverdue(parts, db, now());
      const prompt = await findPrompt(db, found);
      return (
        prompt && { prompt, shown: await buildShownPrompt(parts, db, prompt, await findDraft(db, prompt.draft_id)) }
      );
    });
    if (current) await showDecision(speaking, current.prompt, current.shown);
  }
}

type ShownPrompt = { isTheirs: boolean; html: string; buttons: Button[] };

/** A draft in its present state for the phone's person; nothing when they may no longer decide it. */
async function buildShownPrompt(
  parts: TurnDeps,
  db: Db,
  prompt: PromptRow & { person_id: string },
  draft: DraftRow,
): Promise<ShownPrompt> {
  const { publicUrl } = parts;
  const now = parts.now();
  const viewer = await loadPersonViewer(db, prompt.person_id, now);
  if (!canViewerSee(viewer, draft)) return { isTheirs: false, html: notYours, buttons: [] };
  const telling = { publicUrl, now, owner: findOwnerName(viewer, draft) };
  const isOpen = draft.status === 'pending' && draft.expires_at > now;
  const names = prompt.buttons.filter((name) => isOpen && (name !== 'approve' || isFittingPhone(draft, telling)));
  return { isTheirs: true, html: formatPromptHtml(draft, telling), buttons: buildButtons(draft, names) };
}

async function showDecision(speaking: SendDeps, prompt: PromptRow, { html, buttons }: ShownPrompt): Promise<void> {
  for (const messageId of prompt.message_ids) {
    try {
      await speaking.api.edit({ chatId: prompt.chat_id, messageId, html, buttons });
    } catch (error) {
      if (isFinal(error) || prompt.attempts >= mostAttempts) continue; // deleted, or already up to date
      await write(speaking, (db) => notePromptAttempt(db, prompt));
      throw error;
    }
  }
  await write(speaking, (db) => noteShown(db, prompt));
}

/** Telegram will never accept it: the person has blocked the bot, or left the chat. */
function isFinal(error: unknown): boolean {
  return error instanceof ProviderError && (error.status === 400 || error.status === 403);
}
