import { defineModule, runAfterEvents } from '#kernel/module';
import { memoryStored } from '#modules/memory';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { documentResource } from './ids.ts';
import { learnFrom, readCountsMs } from './learning.ts';
import { dropReads, hasReads } from './lessons-store.ts';
import { deleteDocument } from './operations/delete-document.ts';
import { getDocument } from './operations/get-document.ts';
import { listDocuments } from './operations/list-documents.ts';
import { readDocument } from './operations/read-document.ts';
import { uploadDocument } from './operations/upload-document.ts';
import { listPortableDocuments } from './portable.ts';
import { getDocumentStorage } from './store-document.ts';
import { createUnusedBlobsRound } from './remove-blobs.ts';
import { documentContents, dropDeleted } from './store.ts';
import { getUploads } from './uploads.ts';

const deletedKeptMs = 7 * 24 * 60 * 60 * 1000;

/** Files and long texts that are searched and read line by line. */
export const documentsModule = defineModule<Ground>({
  name: 'documents',
  resources: [documentResource],
  contents: [documentContents],
  portable: listPortableDocuments,
  async tidy(db, at) {
    await dropReads(db, new Date(at.getTime() - readCountsMs));
    await dropDeleted(db, new Date(at.getTime() - deletedKeptMs));
  },
  operations(ground) {
    const { publicUrl } = ground.config;
    return [
      uploadDocument(getDocumentStorage(ground), { uploads: getUploads(ground), publicUrl }),
      listDocuments({ publicUrl }),
      getDocument({ publicUrl }),
      readDocument,
      deleteDocument,
    ];
  },
  work: ({ transactions, blobs }) => ({
    eachMinute: [createUnusedBlobsRound({ transactions, blobs, now })],
    subscribers: [
      runAfterEvents(
        [memoryStored],
        'documents.learn',
        ({ ids }, { workspaceId }) => learnFrom({ transactions, newId, now }, workspaceId, ids),
        hasReads,
      ),
    ],
  }),
});
