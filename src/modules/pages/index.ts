import { createAnalyser, type Search } from '#platform/search';
import { getPage } from './operations/get-page.ts';
import { listPages } from './operations/list-pages.ts';
import { queryPages } from './operations/query.ts';
import { searchPages } from './operations/search.ts';

export { pageResource } from './ids.ts';
export type { Attachment, NewPage } from './new-page.ts';
export { storePages } from './store-pages.ts';
export { countPagesBySource } from './store/read.ts';
export { removePages, upsertPages } from './store/write.ts';

/** What callers can do with pages. Nobody writes one by hand: they come from integrations and imports. */
export function pageOperations({ search }: { search: Search }) {
  const analyse = createAnalyser();
  return [searchPages(search, analyse), queryPages(search, analyse), listPages(analyse), getPage];
}
