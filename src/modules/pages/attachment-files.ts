// The bytes of an attachment, in parts: a large file is never held as a whole.
import type { Transactions } from '#kernel/database';
import { findAttachment, readPart } from './store/attachments.ts';

/** A file, as it is handed over. */
export type AttachmentFile = { filename: string; mimeType: string; size: number; body: ReadableStream<Uint8Array> };

/** Opens the file of an attachment; null when it is not stored. Whether the caller may see it was checked before. */
export type AttachmentFiles = (workspaceId: string, id: string) => Promise<AttachmentFile | null>;

export function createAttachmentFiles(transactions: Transactions): AttachmentFiles {
  return async (workspaceId, id) => {
    const found = await transactions.run(workspaceId, 'read', (db) => findAttachment(db, id, { offset: 0, length: 0 }));
    if (found?.state !== 'stored') return null;
    const size = Number(found.size);
    let [position, read] = [0, 0];
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (read >= size) return controller.close();
        const part = await transactions.run(workspaceId, 'read', (db) => readPart(db, id, position));
        if (!part?.length) throw new Error(`attachment ${id} ended while it was read`);
        position += 1;
        read += part.length;
        controller.enqueue(part);
      },
    });
    return { filename: found.filename, mimeType: found.mime_type, size, body };
  };
}
