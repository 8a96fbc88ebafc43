import type { MeaningOf } from '#platform/embeddings';
import { createAnalyser, type Search } from '#platform/search';
import { getAttachment } from './operations/get-attachment.ts';
import { getPage } from './operations/get-page.ts';
import { listPages } from './operations/list-pages.ts';
import { queryPages } from './operations/query.ts';
import { searchPages } from './operations/search.ts';

export { attachmentResource, pageResource } from './ids.ts';
export type { Attachment, Json, NewPage } from './new-page.ts';
export { createAttachmentFiles, type AttachmentFile, type AttachmentFiles } from './attachment-files.ts';
export { keepAttachment, type Keeper } from './keep-attachment.ts';
export { attachedBytes, dropUnusedContents } from './store/attachment-contents.ts';
export { awaitedAttachments, refuseAttachment, type AwaitedAttachment } from './store/attachments.ts';
export { attachmentContents, pageContents, pageVersionContents } from './store/contents.ts';
export { storePages } from './store-pages.ts';
export { countPagesBySource, listRefs } from './store/read.ts';
export { upsertPages } from './store/write.ts';

/** What callers can do with pages. Nobody writes one by hand: they come from integrations and imports. */
export function pageOperations(options: { search: Search; meaningOf: MeaningOf | null; publicUrl: string }) {
  const { search, meaningOf, publicUrl } = options;
  const analyse = createAnalyser();
  return [
    searchPages(search, meaningOf, analyse),
    queryPages(search, meaningOf, analyse),
    listPages(analyse),
    getPage({ publicUrl }),
    getAttachment({ publicUrl }),
  ];
}
