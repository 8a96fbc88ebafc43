import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateDocuments } from './store.ts';

export const documentId = itemId('document').describe('Id of a document, from `list_documents` or `search_memory`.');

/** A document is visible to everybody who may read its brain. */
export const documentResource = defineResource({ kind: 'document', noun: 'document', locate: locateDocuments });
