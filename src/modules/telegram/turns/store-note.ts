// Stores a text as a memory, word for word, and confirms it.
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { findBrains } from '#modules/brains';
import { z } from 'zod';
import { cut } from './find-answer.ts';
import { quote, createTextPart, type Reply } from './reply.ts';
import { findLastMemory, listMessageMemories, noteMemory, noteTakenBack } from '../store/messages.ts';
import type { Turn } from './turn.ts';

const stored = z.object({
  id: z.string(),
  type: z.string(),
  salience: z.string(),
  duplicate_of: z.string().nullable(),
  conflicts: z.array(z.unknown()),
});

/** The fields of the memory: its person, its time and its conversation. */
export function buildMemoryFields({ caller, message }: Turn) {
  return {
    author: caller.label.slice(0, 200),
    role: 'user',
    thread_id: `telegram:${message.chat.id}`,
    occurred_at: new Date(message.date * 1000).toISOString(),
  };
}

/** Stores a text as a memory, and ends the turn. */
export async function storeNote(turn: Turn, content: string, more: Reply = []): Promise<void> {
  await turn.act('add_memory', { content, ...buildMemoryFields(turn) }, async (db, answer) => {
    const memory = stored.parse(answer);
    await noteStored(turn, db, memory.id);
    return [createTextPart(await formatConfirmation(turn, db, memory)), ...more];
  });
}

/** Stores which memory belongs to a message. */
export async function noteStored({ link, message, caller, now }: Turn, db: Db, memoryId: string): Promise<void> {
  const place = { workspaceId: caller.workspaceId, linkId: link.id, messageId: message.message_id };
  await noteMemory(db, { memoryId, ...place, at: now });
}

async function formatConfirmation({ caller }: Turn, db: Db, memory: z.output<typeof stored>): Promise<string> {
  const [brain] = await findBrains(db, [caller.homeBrainId]);
  const kind = memory.salience === 'normal' ? memory.type : `${memory.salience} ${memory.type}`;
  return [
    `Noted in ${brain?.name ?? 'your brain'}, as a ${kind}.`,
    memory.duplicate_of ? 'A duplicate was already stored.' : '',
    memory.conflicts.length ? 'It contradicts a stored memory. Use /find to see it.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

const known = z.object({ memory: z.object({ content: z.string(), archived_at: z.string().nullable() }) });

/** Archives the memory of the replied message, or the last one. */
export async function undo(turn: Turn): Promise<void> {
  const repliedTo = turn.message.reply_to_message?.message_id;
  const id = await turn.look(async (db) => {
    if (repliedTo !== undefined) return (await listMessageMemories(db, turn.link.id, repliedTo)).at(-1);
    return findLastMemory(db, turn.link.id);
  });
  if (!id) return turn.end([createTextPart('You have no note here that I could undo.')]);
  const memory = known.safeParse(await turn.ask('get_memory', { id }).catch(ignoreAppError)).data?.memory;
  const takenBack = (db: Db) => noteTakenBack(db, id, turn.now);
  if (!memory)
    return turn.end(
      [createTextPart('You can no longer change the last note. /undo undoes the one before.')],
      takenBack,
    );
  const words = [createTextPart('Undone:'), quote(cut(memory.content))];
  if (memory.archived_at !== null)
    return turn.end([createTextPart('This was already archived:'), ...words.slice(1)], takenBack);
  await turn.act('archive_memory', { id, reason: 'Undone over Telegram' }, async (db) => {
    await takenBack(db);
    return words;
  });
}

/** Our own errors become an answer, too; a bug does not. */
function ignoreAppError(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

/** An edit of a message also edits its memory. */
export async function correct(turn: Turn, content: string, memoryIds: readonly string[]): Promise<void> {
  const [id] = memoryIds;
  if (!id || memoryIds.length > 1) {
    const several = 'This message made several notes, so I left them unchanged. Write the change as a new message.';
    return turn.end([createTextPart(several)]);
  }
  const reason = 'Edited over Telegram';
  await turn.act('update_memory', { id, content, reason }, async () => [createTextPart('Corrected.')]);
}
