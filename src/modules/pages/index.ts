export { pageIngested } from './events.ts';
export { createPagesModule } from './module.ts';
export type { DiscoverActions, DiscoveredAction } from './discover-actions.ts';
export { getAttachmentFiles, type AttachmentFiles, type OpenFile } from './attachment-files.ts';
export { getOpenRetainedFile, listPageFiles, keepBytes, type OpenRetainedFile } from './retain-files.ts';
export { listRetainedFiles, retainFiles, releaseFiles, type RetainedFile } from './store/retained-files.ts';
export { keepAttachment, type Keeper } from './keep-attachment.ts';
export { countAttachedBytes } from './store/attachment-contents.ts';
export { listAwaitedAttachments, refuseAttachment, type AwaitedAttachment } from './store/attachments.ts';
export { storePages } from './store-pages.ts';
export { pageTarget } from './portable.ts';
export {
  countPagesBySource,
  findLatestPage,
  hasPage,
  listLiveVersions,
  listPagesBySlug,
  listRefs,
} from './store/read.ts';
export { upsertPages } from './store/write.ts';
export { buildFieldConditionSql } from './store/field-conditions.ts';
export { parseConditions, where, type FieldCondition } from './where.ts';
