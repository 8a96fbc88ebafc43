// Downloads the original of a document.
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import type { OpenFile } from '#modules/pages';
import { findOriginal } from './store.ts';
import { buildBlobKey } from './store-document.ts';

/** Opens the original of a document; null when it no longer exists. The caller's access was checked before. */
export type DocumentFiles = (workspaceId: string, id: string) => Promise<OpenFile | null>;

export const getDocumentFiles = memoizePerServer(
  ({ transactions, blobs }: Ground): DocumentFiles =>
    async (workspaceId, id) => {
      const found = await transactions.run(workspaceId, 'read', (db) => findOriginal(db, id));
      const body = found && (await blobs.open(buildBlobKey(workspaceId, found.sha256)));
      if (!found || !body) return null;
      const { filename, title, mime_type, size } = found;
      return { filename: filename ?? `${title}.txt`, mimeType: mime_type, size: Number(size), body };
    },
);
