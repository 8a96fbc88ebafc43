import { defineModule } from '#kernel/module';
import { getFindMeaning } from '#modules/meaning';
import type { Ground } from '#platform';
import { createAnalyser } from '#platform/search';
import type { DiscoverActions } from './discover-actions.ts';
import { pageIngested } from './events.ts';
import { attachmentResource, pageResource } from './ids.ts';
import { createUnreadWordsRound, readWordsJob } from './read-attached-words.ts';
import { getAttachment } from './operations/get-attachment.ts';
import { createPage } from './operations/create-page.ts';
import { getPage } from './operations/get-page.ts';
import { listCalendarEvents } from './operations/list-calendar-events.ts';
import { listPages } from './operations/list-pages.ts';
import { queryPages } from './operations/query.ts';
import { updatePage } from './operations/update-page.ts';
import { searchPages } from './operations/search.ts';
import { listPortablePages } from './portable.ts';
import { dropUnusedContents } from './store/attachment-contents.ts';
import { attachmentContents, pageContents, pageVersionContents } from './store/contents.ts';

/** The functions that pages need from the modules above them, for pages that are never stored. */
type PagesDependencies = { getDiscoverActions: (ground: Ground) => DiscoverActions };

/** The age at which unused bytes are deleted: long enough for a concurrent writer of the same bytes. */
const unusedKeptMs = 60 * 60 * 1000;

/** Pages: content from integrations and imports, and content that people, agents and automations write. */
export const createPagesModule = ({ getDiscoverActions }: PagesDependencies) =>
  defineModule<Ground>({
    name: 'pages',
    resources: [pageResource, attachmentResource],
    events: [pageIngested],
    contents: [pageContents, pageVersionContents, attachmentContents],
    portable: listPortablePages,
    tidy: (db, at) => dropUnusedContents(db, new Date(at.getTime() - unusedKeptMs)),
    operations(ground) {
      const {
        search,
        config: { publicUrl },
      } = ground;
      const meaningOf = getFindMeaning(ground);
      const [analyse, discover] = [createAnalyser(), getDiscoverActions(ground)];
      return [
        searchPages(search, meaningOf, analyse),
        queryPages({ search, meaningOf, analyse, discover }),
        listPages(analyse),
        getPage({ publicUrl, discover }),
        getAttachment({ publicUrl }),
        createPage,
        updatePage,
        listCalendarEvents,
      ];
    },
    work: (ground) => ({
      jobs: [readWordsJob(ground)],
      eachMinute: [createUnreadWordsRound(ground)],
    }),
  });
