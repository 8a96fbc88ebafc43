import type { MeaningOf } from '#platform/embeddings';
import { createAnalyser, type Search } from '#platform/search';
import type { DiscoverActions } from './discovered.ts';
import { getAttachment } from './operations/get-attachment.ts';
import { getPage } from './operations/get-page.ts';
import { listPages } from './operations/list-pages.ts';
import { queryPages } from './operations/query.ts';
import { searchPages } from './operations/search.ts';

export { attachmentResource, pageResource } from './ids.ts';
export type { Attachment, Json, NewPage } from './new-page.ts';
export type { DiscoveredAction } from './discovered.ts';
export { createAttachmentFiles, type AttachmentFiles, type OpenFile } from './attachment-files.ts';
export { createHeldFiles, filesOfPage, keepBytes, type HeldFiles } from './hold-files.ts';
export { heldFiles, holdFiles, releaseFiles, type HeldFile } from './store/held-files.ts';
export { keepAttachment, type Keeper } from './keep-attachment.ts';
export { attachedBytes, dropUnusedContents } from './store/attachment-contents.ts';
export { awaitedAttachments, refuseAttachment, type AwaitedAttachment } from './store/attachments.ts';
export { attachmentContents, pageContents, pageVersionContents } from './store/contents.ts';
export { storePages } from './store-pages.ts';
export { countPagesBySource, listRefs } from './store/read.ts';
export { upsertPages } from './store/write.ts';

/** What callers can do with pages. Nobody writes one by hand: they come from integrations and imports. */
export function pageOperations(options: {
  search: Search;
  meaningOf: MeaningOf | null;
  publicUrl: string;
  discover: DiscoverActions;
}) {
  const { search, meaningOf, publicUrl, discover } = options;
  const analyse = createAnalyser();
  return [
    searchPages(search, meaningOf, analyse),
    queryPages({ search, meaningOf, analyse, discover }),
    listPages(analyse),
    getPage({ publicUrl, discover }),
    getAttachment({ publicUrl }),
  ];
}
