import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateAttachments } from './store/attachments.ts';
import { locatePages } from './store/read.ts';

export const pageId = itemId('page').describe('Id of a page, from `search`, `query` or `list_pages`.');

/** A page is visible to everybody who may read its brain. */
export const pageResource = defineResource({ kind: 'page', noun: 'page', locate: locatePages });

export const attachmentId = itemId('attachment').describe('Id of an attachment, from `get_page` or `search`.');

/** An attachment is visible to everybody who may read the brain of its page. */
export const attachmentResource = defineResource({
  kind: 'attachment',
  noun: 'attachment',
  locate: locateAttachments,
});
