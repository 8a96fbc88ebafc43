import type { MeaningOf } from '#platform/embeddings';
import { createAnalyser, type Search } from '#platform/search';
import { getPage } from './operations/get-page.ts';
import { listPages } from './operations/list-pages.ts';
import { queryPages } from './operations/query.ts';
import { searchPages } from './operations/search.ts';

export { pageResource } from './ids.ts';
export type { Attachment, Json, NewPage } from './new-page.ts';
export { pageContents, pageVersionContents } from './store/contents.ts';
export { storePages } from './store-pages.ts';
export { countPagesBySource, listRefs } from './store/read.ts';
export { upsertPages } from './store/write.ts';

/** What callers can do with pages. Nobody writes one by hand: they come from integrations and imports. */
export function pageOperations({ search, meaningOf }: { search: Search; meaningOf: MeaningOf | null }) {
  const analyse = createAnalyser();
  return [searchPages(search, meaningOf, analyse), queryPages(search, meaningOf, analyse), listPages(analyse), getPage];
}
