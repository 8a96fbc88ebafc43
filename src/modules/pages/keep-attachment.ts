// Stores the bytes of an attachment while they arrive: only a part is in memory, and they are invisible until complete.
import type { Db } from '#kernel/database';
import { withoutSignInTokens } from '#modules/accounts';
import { isCodedText, type NamedFile } from '#platform/extraction';
import type { Jobs } from '#platform/jobs';
import { createHash } from 'node:crypto';
import * as contents from './store/attachment-contents.ts';
import { enqueueWords } from './read-attached-words.ts';
import { lockAttachmentPage, noteStored } from './store/attachments.ts';

/** The store of the bytes. Each transaction is short, because senders may be slow. */
export type Keeper = {
  workspaceId: string;
  newId: () => string;
  transact<T>(work: (db: Db, at: Date) => Promise<T>): Promise<T>;
  jobs: Pick<Jobs, 'enqueue'>;
};

/**
 * A file that arrives. `textOf` receives its beginning, a megabyte at most, and returns its words if it is plain text.
 * A job reads PDF and Office files later.
 */
export type IncomingAttachment = NamedFile & {
  bytes: AsyncIterable<Uint8Array>;
  readText: (beginning: Uint8Array) => Promise<string | null> | string | null;
};

/**
 * Stores the bytes of an attachment and its words. Equal bytes are stored once for the workspace. Returns their number;
 * null when the attachment, or its page, was deleted meanwhile. An error leaves nothing; the invisible rest of a crash
 * is removed by `dropUnusedContents`.
 */
export async function keepAttachment(keeper: Keeper, id: string, file: IncomingAttachment): Promise<number | null> {
  const hash = createHash('sha256');
  const content = createContentWriter(keeper);
  const { bytes, readText } = file;
  let text: string | null | undefined;
  let isReadLater = false;
  let size = 0;
  let last: Buffer = Buffer.alloc(0);
  try {
    for await (const part of splitIntoStoredParts(bytes)) {
      if (last.length) await content.write(last);
      if (text === undefined) {
        text = withoutTokens(await readText(part));
        isReadLater = text === null && isCodedText(part, file);
      }
      hash.update(part);
      size += part.length;
      last = part;
    }
    const sha256 = hash.digest();
    return await keeper.transact(async (db, at) => {
      const page = await lockAttachmentPage(db, id);
      if (page === undefined || (await contents.hasContent(db, sha256, at))) await content.drop(db);
      else await content.complete(db, { last, sha256, at });
      if (page === undefined) return null;
      const words = text ?? null;
      const textState = words !== null ? 'read' : isReadLater ? 'awaited' : 'none';
      await noteStored(db, { id, page, sha256, size, text: words, textState, at });
      if (isReadLater) await enqueueWords(keeper.jobs, db, keeper.workspaceId, id);
      return size;
    });
  } catch (error) {
    // If this fails as well, the state is as after a crash.
    await keeper.transact((db) => content.drop(db)).catch(() => {});
    throw error;
  }
}

/** The words of a file for agents, without sign-in tokens of this server. */
function withoutTokens(text: string | null): string | null {
  return text === null ? null : withoutSignInTokens(text);
}

/**
 * A content that is written part by part, and exists from its first part on: a short one is written in one transaction.
 */
function createContentWriter({ workspaceId, newId, transact }: Keeper) {
  const id = newId();
  let position = 0;
  const add = async (db: Db, bytes: Buffer, at: Date) => {
    if (position === 0) await contents.beginContent(db, { id, workspaceId, at });
    await contents.addPart(db, id, { position, bytes, at });
  };
  return {
    async write(bytes: Buffer): Promise<void> {
      await transact((db, at) => add(db, bytes, at));
      position += 1;
    },
    async complete(db: Db, { last, sha256, at }: { last: Buffer; sha256: Buffer; at: Date }): Promise<void> {
      await add(db, last, at);
      await contents.completeContent(db, id, sha256);
    },
    async drop(db: Db): Promise<void> {
      if (position > 0) await contents.dropContent(db, id);
    },
  };
}

/**
 * The bytes in parts of the stored size; the last one is shorter. A part is valid until the second one after it is
 * requested: a large file alternates between two buffers, because a buffer for each part would be freed late.
 */
async function* splitIntoStoredParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let filling: Buffer = Buffer.allocUnsafe(firstBytes);
  let other: Buffer | undefined;
  let length = 0;
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length;) {
      filling = withRoom(filling, length, piece.length - at);
      const taken = Math.min(piece.length - at, filling.length - length);
      filling.set(piece.subarray(at, at + taken), length);
      at += taken;
      length += taken;
      if (length < contents.partBytes) continue;
      yield filling;
      [filling, other] = [other ?? Buffer.allocUnsafe(contents.partBytes), filling];
      length = 0;
    }
  }
  if (length) yield filling.subarray(0, length);
}

/** Most files are small. */
const firstBytes = 16_000;

function withRoom(filling: Buffer, length: number, more: number): Buffer {
  if (filling.length >= Math.min(length + more, contents.partBytes)) return filling;
  const roomier = Buffer.allocUnsafe(Math.min(contents.partBytes, Math.max(length + more, 2 * length)));
  filling.copy(roomier, 0, 0, length);
  return roomier;
}
