import { idOf } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locatePages } from './store/read.ts';

export const pageId = idOf('page').describe('Id of a page, from `search`, `query` or `list_pages`.');

/** A page is seen by whoever may read its brain. */
export const pageResource = defineResource({ kind: 'page', noun: 'page', locate: locatePages });
