// Reads the bytes of an attachment in slices, as fast as the client reads: a file is never completely in memory.
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import type { Db, Transactions } from '#kernel/database';
import PQueue from 'p-queue';
import { findAttachmentContent, readSlice } from './store/attachment-contents.ts';

/** A file for download. */
export type OpenFile = { filename: string; mimeType: string; size: number; body: ReadableStream<Uint8Array> };

/** Opens the file of an attachment; null when it is not stored. The caller's rights were checked before. */
export type AttachmentFiles = (workspaceId: string, id: string) => Promise<OpenFile | null>;

/** Concurrent slices, over all downloads of this process. */
const slicesAtOnce = 2;

export function createAttachmentFiles(transactions: Transactions): AttachmentFiles {
  const open = createOpener(transactions);
  return (workspaceId, id) => open(workspaceId, id, (db) => findAttachmentContent(db, id));
}

/** The bytes of a file, and its metadata. */
type StoredFile = { filename: string; mime_type: string; content_id: string; size: number };

/** Opens files by a function that finds their bytes; `name` is their name in errors. */
export function createOpener(transactions: Transactions) {
  const reading = new PQueue({ concurrency: slicesAtOnce });
  return async (
    workspaceId: string,
    name: string,
    find: (db: Db) => Promise<StoredFile | undefined>,
  ): Promise<OpenFile | null> => {
    const found = await transactions.run(workspaceId, 'read', find);
    if (!found) return null;
    const size = Number(found.size);
    let offset = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (offset >= size) return controller.close();
          // The number of bytes at the beginning, whatever the file has by now.
          const slice = await reading.add(() =>
            transactions.run(workspaceId, 'read', (db) => readSlice(db, found.content_id, offset)),
          );
          if (!slice?.length) throw new Error(`the bytes of file ${name} ended while they were read`);
          offset += slice.length;
          controller.enqueue(slice);
        },
      },
      // Nothing is read before the client reads.
      { highWaterMark: 0 },
    );
    return { filename: found.filename, mimeType: found.mime_type, size, body };
  };
}

/** The server's attachments. */
export const getAttachmentFiles = memoizePerServer(({ transactions }: Ground) => createAttachmentFiles(transactions));
