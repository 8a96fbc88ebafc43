// Interprets a message of a linked phone, and answers it.
import { AppError } from '#kernel/errors';
import { parseCommand, runCommand } from './commands.ts';
import { answerWithModel } from './answer-with-model.ts';
import { findAnswer } from './find-answer.ts';
import { findMedium } from './media.ts';
import { isQuestion } from './question.ts';
import { correct, storeNote } from './store-note.ts';
import { createTextPart } from './reply.ts';
import { listMessageMemories } from '../store/messages.ts';
import type { TurnDeps, Turn } from './turn.ts';

/** Answers a message, so that it is handled when this returns. An error that the person can fix becomes a reply. */
export async function answerMessage(parts: TurnDeps, turn: Turn, isEdited: boolean): Promise<void> {
  try {
    await (isEdited ? answerEdit(parts, turn) : answerNew(parts, turn));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await turn.end([createTextPart(error.message)]);
  }
}

async function answerNew(parts: TurnDeps, turn: Turn): Promise<void> {
  const said = (turn.message.text ?? turn.message.caption ?? '').trim();
  const medium = findMedium(turn.message);
  if (medium) return answerMedium(turn, medium, said);
  if (!said) return turn.end([createTextPart('I understand only text.')]);
  const command = parseCommand(said);
  if (command) return runCommand(turn, command);
  if (parts.llm && (await answerWithModel(parts, parts.llm, turn, said))) return;
  if (isQuestion(said)) return answerQuestion(turn, said);
  await storeNote(turn, said);
}

async function answerQuestion(turn: Turn, said: string): Promise<void> {
  const found = await findAnswer(turn, said);
  // Without a question mark it may have been a statement.
  const isSure = /[?？؟]/.test(said);
  await turn.end(isSure ? found : [...found, createTextPart('\nTo note it instead, reply to your message with /save')]);
}

/** The caption of a picture or file is stored; its content is not read, and the reply says so. */
async function answerMedium(turn: Turn, medium: string, caption: string): Promise<void> {
  const unread = `I cannot read a ${medium}.`;
  if (!caption) return turn.end([createTextPart(`${unread} Write what I should note.`)]);
  await storeNote(turn, caption, [createTextPart(`I noted only the text. ${unread}`)]);
}

/** Updates the memory of an edited message. A message without a memory is answered like a new one. */
async function answerEdit(parts: TurnDeps, turn: Turn): Promise<void> {
  const { message, link } = turn;
  const said = (message.text ?? message.caption ?? '').trim();
  const memoryIds = await turn.look((db) => listMessageMemories(db, link.id, message.message_id));
  if (memoryIds.length && said) return correct(turn, said, memoryIds);
  if (parseCommand(said)) return turn.end([]); // a command runs once, even if its message is edited
  await answerNew(parts, turn);
}
